package io.fulmar.planner.dialect;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/** JDBC's {@code {fn name(…)}}: the language's functions under JDBC's names. */
final class JdbcFunctions {
  private static final Map<String, String> NAMES =
      Map.ofEntries(
          Map.entry("CHAR", "CHR"),
          Map.entry("CURDATE", "CURRENT_DATE"),
          Map.entry("CURTIME", "CURRENT_TIME"),
          Map.entry("DATABASE", "CURRENT_CATALOG"),
          Map.entry("LCASE", "LOWER"),
          Map.entry("RAND", "RANDOM"),
          Map.entry("UCASE", "UPPER"));

  private JdbcFunctions() {}

  /** The call without the escape. */
  static SqlNode rewrite(SqlCall call) {
    String jdbc = name(call);
    List<SqlNode> operands = call.getOperandList();
    return switch (jdbc + "/" + operands.size()) {
      case "TIMESTAMPADD/3" ->
          SqlStdOperatorTable.TIMESTAMP_ADD.createCall(call.getParserPosition(), operands);
      case "LOCATE/2" -> FunctionCalls.call(call.getParserPosition(), "POSITION_IN", operands);
      case "CONCAT/2" -> SqlStdOperatorTable.CONCAT.createCall(call.getParserPosition(), operands);
      case "DAYOFMONTH/1" -> FunctionCalls.call(call.getParserPosition(), "DAYOFMONTH", operands);
      default ->
          FunctionCalls.call(call.getParserPosition(), NAMES.getOrDefault(jdbc, jdbc), operands);
    };
  }

  /** Calcite names the operator {@code {fn NAME}}. */
  private static String name(SqlCall call) {
    String name = call.getOperator().getName();
    return name.replaceFirst("^\\{fn ", "").replaceFirst("}$", "").trim().toUpperCase(Locale.ROOT);
  }
}
