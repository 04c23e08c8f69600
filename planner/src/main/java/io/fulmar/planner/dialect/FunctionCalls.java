package io.fulmar.planner.dialect;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlUnresolvedFunction;
import org.apache.calcite.sql.fun.SqlCase;
import org.apache.calcite.sql.fun.SqlLibraryOperators;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Functions that are other notations for standard expressions. */
final class FunctionCalls {
  private FunctionCalls() {}

  /** A call that the validator resolves by name. */
  static SqlCall call(SqlParserPos position, String name, List<SqlNode> operands) {
    return new SqlBasicCall(
        new SqlUnresolvedFunction(
            new SqlIdentifier(name, position),
            null,
            null,
            null,
            null,
            SqlFunctionCategory.USER_DEFINED_FUNCTION),
        operands,
        position);
  }

  static SqlNode rewrite(SqlBasicCall call) {
    if (call.getOperator().equals(SqlLibraryOperators.TRANSLATE3)) {
      return call(call.getParserPosition(), "TRANSLATE3", call.getOperandList());
    }
    if (call.getOperator().equals(SqlStdOperatorTable.JSON_VALUE)) {
      return jsonValue(call);
    }
    String name = call.getOperator().getName();
    boolean percentile = name.equals("PERCENTILE_CONT") || name.equals("PERCENTILE_DISC");
    if (percentile && !(call.getOperator() instanceof SqlUnresolvedFunction)) {
      return call.operandCount() == 2
          ? percentile(call, name)
          : call(call.getParserPosition(), name, call.getOperandList());
    }
    if (!(call.getOperator() instanceof SqlUnresolvedFunction function)
        || !function.getNameAsId().isSimple()) {
      return call;
    }
    return rewrite(call, function.getName().toUpperCase(Locale.ROOT));
  }

  private static SqlNode rewrite(SqlBasicCall call, String name) {
    SqlParserPos position = call.getParserPosition();
    List<SqlNode> operands = call.getOperandList();
    return switch (name + "/" + operands.size()) {
      case "IF/3", "IIF/3" -> choose(position, operands.get(0), operands.get(1), operands.get(2));
      case "IF/2" ->
          choose(position, operands.get(0), operands.get(1), SqlLiteral.createNull(position));
      case "NVL2/3" ->
          choose(
              position,
              SqlStdOperatorTable.IS_NOT_NULL.createCall(position, operands.get(0)),
              operands.get(1),
              operands.get(2));
      case "IFNULL/2", "NVL/2" -> SqlStdOperatorTable.COALESCE.createCall(position, operands);
      case "STRPOS/2", "INSTR/2" ->
          call(position, "POSITION_IN", List.of(operands.get(1), operands.get(0)));
      case "REGEXP_MATCH/2" -> call(position, "REGEXP_LIKE", operands);
      default -> call;
    };
  }

  private static SqlNode choose(
      SqlParserPos position, SqlNode condition, SqlNode then, SqlNode otherwise) {
    return new SqlCase(position, null, SqlNodeList.of(condition), SqlNodeList.of(then), otherwise);
  }

  /** {@code JSON_VALUE(text, path)}; with further clauses the validator will not find it. */
  private static SqlNode jsonValue(SqlBasicCall call) {
    return call.operandCount() == 2
        ? call(call.getParserPosition(), "JSON_EXTRACT_SCALAR", call.getOperandList())
        : call;
  }

  /** {@code PERCENTILE_CONT(x, 0.5)} is {@code PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY x)}. */
  private static SqlNode percentile(SqlCall call, String name) {
    SqlParserPos position = call.getParserPosition();
    List<SqlNode> fraction = new ArrayList<>(List.of(call.operand(1)));
    return SqlStdOperatorTable.WITHIN_GROUP.createCall(
        position, call(position, name, fraction), SqlNodeList.of(call.operand(0)));
  }
}
