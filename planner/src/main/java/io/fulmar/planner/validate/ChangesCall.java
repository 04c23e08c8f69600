package io.fulmar.planner.validate;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.metadata.VersionSelector;
import io.fulmar.planner.name.NamePart;
import io.fulmar.planner.parse.Positions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlUtil;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * {@code TABLE(system.table_changes('catalog.schema.table', from, to))}: changes after the snapshot
 * {@code from} (NULL: from the beginning) up to {@code to}. Versions are snapshot ids, or names of
 * branches and tags.
 */
final class ChangesCall {
  private static final String NAME = "table_changes";
  private static final Pattern PART = Pattern.compile("\"((?:[^\"]|\"\")+)\"|([^\".]+)");

  private final StatementTables tables;
  private final SnapshotClause versions;
  private final Positions positions;

  ChangesCall(StatementTables tables, SnapshotClause versions, Positions positions) {
    this.tables = requireNonNull(tables, "tables is null");
    this.versions = requireNonNull(versions, "versions is null");
    this.positions = requireNonNull(positions, "positions is null");
  }

  /** The table that a table function stands for; empty for other functions. */
  Optional<StatementTable> table(SqlNode from) {
    if (from.getKind() != SqlKind.COLLECTION_TABLE
        || !(((SqlCall) from).operand(0) instanceof SqlBasicCall call)
        || !(call.getOperator() instanceof SqlFunction function)) {
      return Optional.empty();
    }
    List<String> names = function.getNameAsId() == null ? List.of() : function.getNameAsId().names;
    boolean ours =
        names.size() == 2
            && names.get(0).equalsIgnoreCase(SystemTables.CATALOG)
            && names.get(1).equalsIgnoreCase(NAME);
    return ours ? Optional.of(changes(call)) : Optional.empty();
  }

  private StatementTable changes(SqlBasicCall call) {
    if (call.operandCount() != 3) {
      throw error(call, "table_changes takes a table's name and two snapshots");
    }
    SqlNode from = call.operand(1);
    Optional<VersionSelector> exclusive =
        SqlUtil.isNullLiteral(from, false) ? Optional.empty() : Optional.of(versions.id(from));
    return tables.changes(name(call.operand(0)), exclusive, versions.id(call.operand(2)));
  }

  private List<NamePart> name(SqlNode argument) {
    if (!(argument instanceof SqlLiteral literal)
        || !SqlUtil.isLiteral(argument)
        || literal.getValueAs(Object.class) == null) {
      throw error(argument, "The table of table_changes is its name in quotes");
    }
    String text = literal.getValueAs(String.class);
    List<NamePart> parts = new ArrayList<>();
    Matcher matcher = PART.matcher(text);
    int end = -1;
    while (matcher.find() && matcher.start() == end + 1) {
      end = matcher.end();
      parts.add(part(matcher, argument.getParserPosition()));
    }
    if (end != text.length()) {
      throw error(argument, "Not a table's name: " + text);
    }
    return parts;
  }

  private static NamePart part(Matcher matcher, SqlParserPos position) {
    return matcher.group(1) == null
        ? new NamePart(matcher.group(2), NamePart.Spelling.ANY_CASE, position)
        : new NamePart(matcher.group(1).replace("\"\"", "\""), NamePart.Spelling.EXACT, position);
  }

  private FulmarException error(SqlNode blamed, String message) {
    return new FulmarException(ErrorCode.INVALID_STATEMENT, message)
        .at(positions.of(blamed.getParserPosition()))
        .withHint("Write TABLE(system.table_changes('catalog.schema.table', 1, 2)).");
  }
}
