package io.fulmar.planner.dialect;

import java.math.BigDecimal;
import org.apache.calcite.avatica.util.TimeUnit;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;

/** {@code INTERVAL count UNIT}: a literal where the count is one. */
final class IntervalCalls {
  private static final int DIGITS = 10;
  private static final int DAYS_PER_WEEK = 7;
  private static final int MONTHS_PER_QUARTER = 3;

  private IntervalCalls() {}

  static SqlNode rewrite(SqlCall call) {
    return call.operand(1) instanceof SqlIntervalQualifier qualifier
            && qualifier.timeFrameName == null
            && qualifier.timeUnitRange.endUnit == null
        ? of(call.operand(0), qualifier.getUnit(), call.getParserPosition())
        : call;
  }

  /** So many units. */
  static SqlNode of(SqlNode count, TimeUnit unit, SqlParserPos position) {
    return switch (unit) {
      case WEEK -> interval(times(count, DAYS_PER_WEEK), TimeUnit.DAY, position);
      case QUARTER -> interval(times(count, MONTHS_PER_QUARTER), TimeUnit.MONTH, position);
      default -> interval(count, unit, position);
    };
  }

  private static SqlNode times(SqlNode count, int factor) {
    SqlParserPos position = count.getParserPosition();
    return count instanceof SqlNumericLiteral number
        ? literal(number.bigDecimalValue().multiply(BigDecimal.valueOf(factor)), position)
        : SqlStdOperatorTable.MULTIPLY.createCall(
            position, count, literal(BigDecimal.valueOf(factor), position));
  }

  private static SqlLiteral literal(BigDecimal value, SqlParserPos position) {
    return SqlLiteral.createExactNumeric(value.toPlainString(), position);
  }

  private static SqlNode interval(SqlNode count, TimeUnit unit, SqlParserPos position) {
    SqlIntervalQualifier qualifier =
        new SqlIntervalQualifier(unit, DIGITS, null, RelDataType.PRECISION_NOT_SPECIFIED, position);
    if (count instanceof SqlNumericLiteral number && number.isInteger()) {
      BigDecimal value = number.bigDecimalValue();
      return SqlLiteral.createInterval(
          value.signum() < 0 ? -1 : 1, value.abs().toPlainString(), qualifier, position);
    }
    return SqlStdOperatorTable.INTERVAL.createCall(position, count, qualifier);
  }
}
