package io.fulmar.planner.logical;

import static java.util.Objects.requireNonNull;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.apache.calcite.avatica.util.TimeUnit;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.util.DateString;
import org.apache.calcite.util.TimestampString;

/**
 * Dates and timestamps plus or minus an interval literal. The last day of the month stands in where
 * the month has no such day.
 */
final class TimeFolder {
  private static final long MILLIS_PER_DAY = 86_400_000L;
  private static final int MAX_YEAR = 9999;

  private final RexBuilder builder;

  TimeFolder(RexBuilder builder) {
    this.builder = requireNonNull(builder, "builder is null");
  }

  /** Folds {@code time + interval} and {@code time - interval}. */
  Optional<RexNode> fold(RexCall call) {
    if (call.operands.size() != 2) {
      return Optional.empty();
    }
    boolean minus = call.getKind() == SqlKind.MINUS;
    Optional<RexLiteral> first = literal(call.operands.get(0));
    Optional<RexLiteral> second = literal(call.operands.get(1));
    if (first.isEmpty() || second.isEmpty()) {
      return Optional.empty();
    }
    boolean swapped = !minus && SqlTypeUtil.isInterval(first.get().getType());
    RexLiteral time = swapped ? second.get() : first.get();
    RexLiteral interval = swapped ? first.get() : second.get();
    if (!SqlTypeUtil.isInterval(interval.getType())
        || time.getType().getSqlTypeName() != call.getType().getSqlTypeName()) {
      return Optional.empty();
    }
    BigDecimal amount = interval.getValueAs(BigDecimal.class);
    return add(time, minus ? amount.negate() : amount, interval);
  }

  private Optional<RexNode> add(RexLiteral time, BigDecimal amount, RexLiteral interval) {
    boolean months = SqlTypeName.YEAR_INTERVAL_TYPES.contains(interval.getTypeName());
    long value = amount.longValueExact();
    if (time.getType().getSqlTypeName() == SqlTypeName.DATE) {
      if (!months && value % MILLIS_PER_DAY != 0) {
        return Optional.empty();
      }
      LocalDate date = LocalDate.ofEpochDay(time.getValueAs(Integer.class));
      LocalDate moved = months ? date.plusMonths(value) : date.plusDays(value / MILLIS_PER_DAY);
      return inRange(moved.getYear())
          ? Optional.of(
              builder.makeDateLiteral(DateString.fromDaysSinceEpoch((int) moved.toEpochDay())))
          : Optional.empty();
    }
    if (time.getType().getSqlTypeName() != SqlTypeName.TIMESTAMP) {
      return Optional.empty();
    }
    LocalDateTime local =
        LocalDateTime.parse(time.getValueAs(TimestampString.class).toString().replace(' ', 'T'));
    LocalDateTime moved = months ? local.plusMonths(value) : local.plus(value, ChronoUnit.MILLIS);
    return inRange(moved.getYear())
        ? Optional.of(builder.makeTimestampLiteral(text(moved), time.getType().getPrecision()))
        : Optional.empty();
  }

  private static boolean inRange(int year) {
    return year >= 1 && year <= MAX_YEAR;
  }

  private static TimestampString text(LocalDateTime local) {
    return new TimestampString(
            local.getYear(),
            local.getMonthValue(),
            local.getDayOfMonth(),
            local.getHour(),
            local.getMinute(),
            local.getSecond())
        .withNanos(local.getNano());
  }

  /** Folds {@code interval * integer} in either order. */
  Optional<RexNode> foldMultiple(RexCall call) {
    if (call.getKind() != SqlKind.TIMES || !SqlTypeUtil.isInterval(call.getType())) {
      return Optional.empty();
    }
    Optional<RexLiteral> first = literal(call.operands.get(0));
    Optional<RexLiteral> second = literal(call.operands.get(1));
    if (first.isEmpty() || second.isEmpty()) {
      return Optional.empty();
    }
    boolean swapped = !SqlTypeUtil.isInterval(first.get().getType());
    RexLiteral interval = swapped ? second.get() : first.get();
    RexLiteral factor = swapped ? first.get() : second.get();
    SqlIntervalQualifier qualifier = call.getType().getIntervalQualifier();
    if (qualifier == null
        || factor.getType().getSqlTypeName() == SqlTypeName.DECIMAL
        || !SqlTypeUtil.isExactNumeric(factor.getType())
        || qualifier.getStartUnit() == TimeUnit.QUARTER) {
      return Optional.empty();
    }
    BigDecimal product =
        interval.getValueAs(BigDecimal.class).multiply(factor.getValueAs(BigDecimal.class));
    return product.precision() <= SqlTypeName.MAX_INTERVAL_START_PRECISION
        ? Optional.of(builder.makeIntervalLiteral(product, qualifier))
        : Optional.empty();
  }

  private static Optional<RexLiteral> literal(RexNode node) {
    return TypedLiterals.of(node).filter(found -> !found.isNull());
  }
}
