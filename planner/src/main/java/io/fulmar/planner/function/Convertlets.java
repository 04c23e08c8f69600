package io.fulmar.planner.function;

import java.util.HashMap;
import java.util.Map;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql2rel.SqlRexContext;
import org.apache.calcite.sql2rel.SqlRexConvertlet;
import org.apache.calcite.sql2rel.SqlRexConvertletTable;
import org.apache.calcite.sql2rel.StandardConvertletTable;

/** How calls become expressions where Calcite's own way would lose or change their meaning. */
public final class Convertlets {
  /** Ours, and for all else Calcite's. */
  public static final SqlRexConvertletTable TABLE = Convertlets::find;

  private static final Map<SqlOperator, SqlRexConvertlet> OWN = new HashMap<>();

  static {
    // Calcite would divide sums by counts, in integers for integers.
    keep(SqlStdOperatorTable.AVG);
    keep(SqlStdOperatorTable.COVAR_POP);
    keep(SqlStdOperatorTable.COVAR_SAMP);
    keep(SqlStdOperatorTable.REGR_SXX);
    keep(SqlStdOperatorTable.REGR_SYY);
    keep(SqlStdOperatorTable.IS_DISTINCT_FROM);
    keep(SqlStdOperatorTable.IS_NOT_DISTINCT_FROM);
    keep(SqlStdOperatorTable.SQRT);
    OWN.put(SqlStdOperatorTable.CONCAT, Convertlets::convertConcat);
    OWN.put(SqlStdOperatorTable.CAST, Convertlets::convertCast);
    OWN.put(SqlStdOperatorTable.INTERVAL, DateArithmetic::convertInterval);
    OWN.put(DateArithmetic.PLUS, DateArithmetic::convertPlus);
    OWN.put(DateArithmetic.MINUS, DateArithmetic::convertMinus);
  }

  private Convertlets() {}

  private static SqlRexConvertlet find(SqlCall call) {
    SqlRexConvertlet own = OWN.get(call.getOperator());
    return own == null ? StandardConvertletTable.INSTANCE.get(call) : own;
  }

  private static void keep(SqlOperator operator) {
    OWN.put(operator, Convertlets::convertAsIs);
  }

  private static RexNode convertAsIs(SqlRexContext context, SqlCall call) {
    return context
        .getRexBuilder()
        .makeCall(
            call.getParserPosition(),
            context.getValidator().getValidatedNodeType(call),
            call.getOperator(),
            call.getOperandList().stream().map(context::convertExpression).toList());
  }

  private static RexNode convertCast(SqlRexContext context, SqlCall call) {
    RexNode converted = StandardConvertletTable.INSTANCE.get(call).convertCall(context, call);
    if (converted.getKind() != SqlKind.CAST || call.operandCount() > 2) {
      return converted;
    }
    RexNode operand = ((RexCall) converted).getOperands().get(0);
    return new ConstantTimes(context.getRexBuilder(), call.getParserPosition())
        .cast(operand, converted.getType())
        .orElse(converted);
  }

  /** {@code ||} of arrays is a function of its own. */
  private static RexNode convertConcat(SqlRexContext context, SqlCall call) {
    RexNode converted = StandardConvertletTable.INSTANCE.get(call).convertCall(context, call);
    return converted.getType().getSqlTypeName() == SqlTypeName.ARRAY
            && converted instanceof RexCall concatenation
        ? context
            .getRexBuilder()
            .makeCall(
                call.getParserPosition(),
                converted.getType(),
                ScalarFunctions.ARRAY_CONCAT,
                concatenation.getOperands())
        : converted;
  }
}
