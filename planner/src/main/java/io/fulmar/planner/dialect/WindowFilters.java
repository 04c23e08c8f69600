package io.fulmar.planner.dialect;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.planner.parse.Positions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.fun.SqlCase;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * {@code f(x) FILTER (WHERE c) OVER w} as {@code f(CASE WHEN c THEN x END) OVER w}, for aggregates
 * that pass over NULL; Calcite has no filter in a window.
 */
final class WindowFilters {
  private static final Set<String> PASS_OVER_NULL =
      Set.of(
          "COUNT",
          "SUM",
          "AVG",
          "MIN",
          "MAX",
          "STDDEV",
          "STDDEV_POP",
          "STDDEV_SAMP",
          "VARIANCE",
          "VAR_POP",
          "VAR_SAMP",
          "BOOL_AND",
          "BOOL_OR",
          "EVERY",
          "LISTAGG",
          "STRING_AGG");

  private final Positions positions;

  WindowFilters(Positions positions) {
    this.positions = requireNonNull(positions, "positions is null");
  }

  /** The call of OVER without a filter in it. */
  SqlNode rewrite(SqlCall over) {
    if (over.operand(0).getKind() != SqlKind.FILTER) {
      return over;
    }
    SqlCall filter = over.operand(0);
    SqlNode aggregate = filter.operand(0);
    if (!(aggregate instanceof SqlCall call) || !passesOverNull(call)) {
      throw refused(aggregate);
    }
    List<SqlNode> arguments = new ArrayList<>(call.getOperandList());
    arguments.set(0, guarded(filter.operand(1), arguments.get(0)));
    SqlNode unfiltered =
        call.getOperator()
            .createCall(call.getFunctionQuantifier(), call.getParserPosition(), arguments);
    return over.getOperator().createCall(over.getParserPosition(), unfiltered, over.operand(1));
  }

  private static boolean passesOverNull(SqlCall call) {
    return call.operandCount() > 0
        && PASS_OVER_NULL.contains(call.getOperator().getName().toUpperCase(Locale.ROOT));
  }

  private static SqlNode guarded(SqlNode condition, SqlNode argument) {
    SqlParserPos position = argument.getParserPosition();
    boolean star = argument instanceof SqlIdentifier identifier && identifier.isStar();
    SqlNode value = star ? SqlLiteral.createExactNumeric("1", position) : argument;
    return new SqlCase(
        position,
        null,
        SqlNodeList.of(condition),
        SqlNodeList.of(value),
        SqlLiteral.createNull(position));
  }

  private FulmarException refused(SqlNode aggregate) {
    return new FulmarException(
            ErrorCode.UNSUPPORTED_SQL, "This function takes no FILTER where OVER follows it")
        .at(positions.of(aggregate.getParserPosition()))
        .withHint("Filter its argument: f(CASE WHEN condition THEN argument END) OVER (…)");
  }
}
