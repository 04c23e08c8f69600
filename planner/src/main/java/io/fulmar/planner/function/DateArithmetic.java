package io.fulmar.planner.function;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.avatica.util.TimeUnit;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlBinaryOperator;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.InferTypes;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeTransforms;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql2rel.SqlRexContext;

/**
 * Plus and minus as PostgreSQL has them: a date and a number of days give a date, two dates a
 * number of days, two timestamps an interval of days to seconds. The validator finds these
 * operators by name in the place of Calcite's; conversion puts Calcite's back.
 */
final class DateArithmetic {
  private static final int PRECEDENCE = 40;
  private static final long MILLIS_PER_DAY = 86_400_000L;

  static final SqlBinaryOperator PLUS =
      new SqlBinaryOperator(
          "+",
          SqlKind.PLUS,
          PRECEDENCE,
          true,
          DateArithmetic::plusType,
          InferTypes.FIRST_KNOWN,
          new TimeOperands(OperandTypes.PLUS_OPERATOR, DateArithmetic::isDateAndDays));

  static final SqlBinaryOperator MINUS =
      new SqlBinaryOperator(
          "-",
          SqlKind.MINUS,
          PRECEDENCE,
          true,
          DateArithmetic::minusType,
          InferTypes.FIRST_KNOWN,
          new TimeOperands(
              OperandTypes.MINUS_OPERATOR,
              (left, right) -> isDateAndDays(left, right) || isTimes(left, right)));

  private DateArithmetic() {}

  private static boolean isDateAndDays(RelDataType left, RelDataType right) {
    return left.getSqlTypeName() == SqlTypeName.DATE && SqlTypeUtil.isIntType(right);
  }

  private static boolean isTimes(RelDataType left, RelDataType right) {
    return isDateOrTimestamp(left) && isDateOrTimestamp(right);
  }

  private static boolean isDateOrTimestamp(RelDataType type) {
    return type.getSqlTypeName() == SqlTypeName.DATE || isTimestamp(type);
  }

  private static boolean isTimestamp(RelDataType type) {
    return type.getSqlTypeName() == SqlTypeName.TIMESTAMP
        || type.getSqlTypeName() == SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE;
  }

  private static RelDataType plusType(SqlOperatorBinding binding) {
    return isDateAndDays(binding.getOperandType(0), binding.getOperandType(1))
        ? nullable(binding, SqlTypeName.DATE)
        : ReturnTypes.NULLABLE_SUM.inferReturnType(binding);
  }

  private static RelDataType minusType(SqlOperatorBinding binding) {
    RelDataType left = binding.getOperandType(0);
    RelDataType right = binding.getOperandType(1);
    if (isDateAndDays(left, right)) {
      return nullable(binding, SqlTypeName.DATE);
    }
    if (!isTimes(left, right)) {
      return ReturnTypes.NULLABLE_SUM.inferReturnType(binding);
    }
    if (left.getSqlTypeName() == SqlTypeName.DATE && right.getSqlTypeName() == SqlTypeName.DATE) {
      return nullable(binding, SqlTypeName.INTEGER);
    }
    return SqlTypeTransforms.TO_NULLABLE.transformType(
        binding, daysToSeconds(binding.getTypeFactory()));
  }

  private static RelDataType nullable(SqlOperatorBinding binding, SqlTypeName type) {
    return SqlTypeTransforms.TO_NULLABLE.transformType(
        binding, binding.getTypeFactory().createSqlType(type));
  }

  private static RelDataType daysToSeconds(RelDataTypeFactory factory) {
    return factory.createSqlIntervalType(
        new SqlIntervalQualifier(TimeUnit.DAY, TimeUnit.SECOND, SqlParserPos.ZERO));
  }

  static RexNode convertPlus(SqlRexContext context, SqlCall call) {
    List<RexNode> operands = operands(context, call);
    RexBuilder builder = context.getRexBuilder();
    RelDataType type = context.getValidator().getValidatedNodeType(call);
    RexNode left = operands.get(0);
    RexNode right = operands.get(1);
    if (isDateAndDays(left.getType(), right.getType())) {
      return builder.makeCall(
          call.getParserPosition(),
          type,
          SqlStdOperatorTable.DATETIME_PLUS,
          List.of(left, days(builder, right)));
    }
    if (SqlTypeUtil.isDatetime(type)) {
      List<RexNode> ordered =
          SqlTypeUtil.isInterval(left.getType()) ? List.of(right, left) : operands;
      return new ConstantTimes(builder, call.getParserPosition())
          .moved(ordered.get(0), ordered.get(1), 1)
          .orElseGet(
              () ->
                  builder.makeCall(
                      call.getParserPosition(), type, SqlStdOperatorTable.DATETIME_PLUS, ordered));
    }
    return builder.makeCall(call.getParserPosition(), type, SqlStdOperatorTable.PLUS, operands);
  }

  static RexNode convertMinus(SqlRexContext context, SqlCall call) {
    List<RexNode> operands = operands(context, call);
    RexBuilder builder = context.getRexBuilder();
    RelDataType type = context.getValidator().getValidatedNodeType(call);
    RexNode left = operands.get(0);
    RexNode right = operands.get(1);
    if (isDateAndDays(left.getType(), right.getType())) {
      return builder.makeCall(
          call.getParserPosition(),
          type,
          SqlStdOperatorTable.MINUS_DATE,
          List.of(left, days(builder, right)));
    }
    if (isTimes(left.getType(), right.getType()) && SqlTypeUtil.isIntType(type)) {
      return builder.makeCall(
          call.getParserPosition(), type, ScalarFunctions.DATE_DIFF_DAYS, operands);
    }
    Optional<RexNode> moved =
        SqlTypeUtil.isInterval(right.getType())
            ? new ConstantTimes(builder, call.getParserPosition()).moved(left, right, -1)
            : Optional.empty();
    if (moved.isPresent()) {
      return moved.get();
    }
    boolean ofTimes = SqlTypeUtil.isDatetime(left.getType());
    return builder.makeCall(
        call.getParserPosition(),
        type,
        ofTimes ? SqlStdOperatorTable.MINUS_DATE : SqlStdOperatorTable.MINUS,
        operands);
  }

  /** {@code INTERVAL count UNIT}: the unit, count times. */
  static RexNode convertInterval(SqlRexContext context, SqlCall call) {
    SqlIntervalQualifier qualifier = call.operand(1);
    RexBuilder builder = context.getRexBuilder();
    RexNode unit = builder.makeIntervalLiteral(qualifier.getUnit().multiplier, qualifier);
    return multiple(builder, unit, context.convertExpression(call.operand(0)));
  }

  private static List<RexNode> operands(SqlRexContext context, SqlCall call) {
    return call.getOperandList().stream().map(context::convertExpression).toList();
  }

  private static RexNode days(RexBuilder builder, RexNode count) {
    SqlIntervalQualifier day = new SqlIntervalQualifier(TimeUnit.DAY, null, SqlParserPos.ZERO);
    return multiple(
        builder, builder.makeIntervalLiteral(BigDecimal.valueOf(MILLIS_PER_DAY), day), count);
  }

  private static RexNode multiple(RexBuilder builder, RexNode unit, RexNode count) {
    RelDataType type =
        builder
            .getTypeFactory()
            .createTypeWithNullability(unit.getType(), count.getType().isNullable());
    return builder.makeCall(type, SqlStdOperatorTable.MULTIPLY, List.of(unit, count));
  }
}
