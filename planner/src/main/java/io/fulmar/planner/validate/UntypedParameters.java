package io.fulmar.planner.validate;

import static java.util.Objects.requireNonNull;
import static org.apache.calcite.util.Static.RESOURCE;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.planner.parse.Positions;
import java.util.HashSet;
import java.util.Set;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql.util.SqlShuttle;

/**
 * How parameters are written, and those whose place tells no type, as in {@code SELECT ?}: they are
 * text. The validator reports the first such parameter; the analysis then starts again with that
 * one cast to VARCHAR.
 */
final class UntypedParameters {
  private UntypedParameters() {}

  /**
   * Refuses a statement that has both {@code ?} and {@code $1}: which is which would be a guess.
   *
   * @throws FulmarException INVALID_STATEMENT
   */
  static void checkNotation(SqlNode query, Positions positions) {
    Set<Boolean> numbered = new HashSet<>();
    query.accept(
        new SqlBasicVisitor<Void>() {
          @Override
          public Void visit(SqlDynamicParam parameter) {
            SqlParserPos position = parameter.getParserPosition();
            numbered.add(positions.text(position).startsWith("$"));
            if (numbered.size() > 1) {
              throw new FulmarException(
                      ErrorCode.INVALID_STATEMENT,
                      "A statement has either ? or numbered parameters, not both")
                  .at(positions.of(position));
            }
            return null;
          }
        });
  }

  /** Refuses a query with parameters: a view's text stands alone. */
  static void refuseAll(SqlNode query) {
    query.accept(
        new SqlBasicVisitor<Void>() {
          @Override
          public Void visit(SqlDynamicParam parameter) {
            throw new FulmarException(
                ErrorCode.INVALID_STATEMENT, "The query of a view cannot have parameters");
          }
        });
  }

  /** The query with casts around the parameters in these places. */
  static SqlNode asText(SqlNode query, Set<SqlParserPos> places) {
    return places.isEmpty() ? query : query.accept(new Caster(places));
  }

  /**
   * What to throw for a failed validation.
   *
   * @param translated the error for the client, unless a parameter lacks a type
   */
  static RuntimeException found(RuntimeException error, FulmarException translated) {
    if (error instanceof CalciteContextException placed
        && placed.getCause() != null
        && isAboutType(String.valueOf(placed.getCause().getMessage()))) {
      return new Found(
          new SqlParserPos(
              placed.getPosLine(),
              placed.getPosColumn(),
              placed.getEndPosLine(),
              placed.getEndPosColumn()),
          translated);
    }
    return translated;
  }

  private static boolean isAboutType(String message) {
    return message.equals(RESOURCE.dynamicParamIllegal().str()) || message.contains("<UNKNOWN>");
  }

  /** A parameter without a type, or a call that has one as an argument. */
  static final class Found extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient SqlParserPos position;
    private final transient FulmarException error;

    private Found(SqlParserPos position, FulmarException error) {
      super(error);
      this.position = requireNonNull(position, "position is null");
      this.error = error;
    }

    SqlParserPos position() {
      return position;
    }

    FulmarException error() {
      return error;
    }
  }

  private static final class Caster extends SqlShuttle {
    private final Set<SqlParserPos> places;

    private Caster(Set<SqlParserPos> places) {
      this.places = places;
    }

    @Override
    public SqlNode visit(SqlDynamicParam parameter) {
      SqlParserPos position = parameter.getParserPosition();
      if (places.stream().noneMatch(position::overlaps)) {
        return parameter;
      }
      SqlDataTypeSpec text =
          new SqlDataTypeSpec(new SqlBasicTypeNameSpec(SqlTypeName.VARCHAR, position), position);
      return SqlStdOperatorTable.CAST.createCall(position, parameter, text);
    }
  }
}
