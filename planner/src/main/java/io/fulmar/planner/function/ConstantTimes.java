package io.fulmar.planner.function;

import static java.util.Objects.requireNonNull;
import static org.apache.calcite.util.Static.RESOURCE;

import io.fulmar.planner.type.TimeText;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.sql.SqlUtil;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.DateString;
import org.apache.calcite.util.TimeString;
import org.apache.calcite.util.TimestampString;

/**
 * Casts of literals to dates and times, and the statement's time plus an interval, as literals:
 * file pruning compares columns with literals only.
 */
final class ConstantTimes {
  private final RexBuilder builder;
  private final SqlParserPos position;

  /**
   * @param position of the expression, for errors
   */
  ConstantTimes(RexBuilder builder, SqlParserPos position) {
    this.builder = requireNonNull(builder, "builder is null");
    this.position = requireNonNull(position, "position is null");
  }

  /**
   * The literal that a cast of one is; empty where it stays a cast.
   *
   * @throws CalciteContextException for text that is no date or time
   */
  Optional<RexNode> cast(RexNode operand, RelDataType target) {
    if (!(operand instanceof RexLiteral literal) || literal.isNull()) {
      return Optional.empty();
    }
    return switch (literal.getType().getSqlTypeName()) {
      case CHAR, VARCHAR -> ofText(literal.getValueAs(String.class), target);
      case TIMESTAMP, TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
          isTimestamp(target) ? Optional.of(timestamp(local(literal), target)) : Optional.empty();
      case DATE ->
          isTimestamp(target)
              ? Optional.of(timestamp(midnight(literal), target))
              : Optional.empty();
      default -> Optional.empty();
    };
  }

  private Optional<RexNode> ofText(String text, RelDataType target) {
    return switch (target.getSqlTypeName()) {
      case DATE -> {
        LocalDateTime parsed = parse(text, target).local();
        yield Optional.of(
            builder.makeDateLiteral(
                DateString.fromDaysSinceEpoch((int) parsed.toLocalDate().toEpochDay())));
      }
      case TIMESTAMP, TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
          Optional.of(timestamp(parse(text, target).utc(), target));
      case TIME -> Optional.of(time(text, target));
      default -> Optional.empty();
    };
  }

  private TimeText.Parsed parse(String text, RelDataType target) {
    return TimeText.parse(text).orElseThrow(() -> invalid(text, target));
  }

  private RexNode time(String text, RelDataType target) {
    try {
      LocalTime parsed = LocalTime.parse(text.trim());
      TimeString value =
          new TimeString(parsed.getHour(), parsed.getMinute(), parsed.getSecond())
              .withNanos(parsed.getNano());
      return builder.makeTimeLiteral(value.round(target.getPrecision()), target.getPrecision());
    } catch (DateTimeParseException e) {
      throw invalid(text, target);
    }
  }

  private CalciteContextException invalid(String text, RelDataType target) {
    return SqlUtil.newContextException(
        position,
        RESOURCE.illegalLiteral(
            String.valueOf(target.getSqlTypeName()), text, "no such date or time"));
  }

  private static boolean isTimestamp(RelDataType type) {
    return type.getSqlTypeName() == SqlTypeName.TIMESTAMP
        || type.getSqlTypeName() == SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE;
  }

  private static LocalDateTime local(RexLiteral timestamp) {
    TimestampString value = timestamp.getValueAs(TimestampString.class);
    return LocalDateTime.parse(value.toString().replace(' ', 'T'));
  }

  private static LocalDateTime midnight(RexLiteral date) {
    return LocalDate.ofEpochDay(date.getValueAs(Integer.class)).atStartOfDay();
  }

  private RexNode timestamp(LocalDateTime value, RelDataType type) {
    TimestampString text =
        new TimestampString(
                value.getYear(),
                value.getMonthValue(),
                value.getDayOfMonth(),
                value.getHour(),
                value.getMinute(),
                value.getSecond())
            .withNanos(value.getNano())
            .round(type.getPrecision());
    return type.getSqlTypeName() == SqlTypeName.TIMESTAMP
        ? builder.makeTimestampLiteral(text, type.getPrecision())
        : builder.makeTimestampWithLocalTimeZoneLiteral(text, type.getPrecision());
  }

  /** A timestamp literal moved by an interval literal; empty where one is no literal. */
  Optional<RexNode> moved(RexNode time, RexNode interval, int sign) {
    if (!(time instanceof RexLiteral start)
        || start.isNull()
        || !isTimestamp(start.getType())
        || !(interval instanceof RexLiteral amount)
        || amount.isNull()) {
      return Optional.empty();
    }
    BigDecimal value = amount.getValueAs(BigDecimal.class).multiply(BigDecimal.valueOf(sign));
    ChronoUnit unit =
        SqlTypeName.YEAR_INTERVAL_TYPES.contains(amount.getType().getSqlTypeName())
            ? ChronoUnit.MONTHS
            : ChronoUnit.MILLIS;
    LocalDateTime result = local(start).plus(value.longValueExact(), unit);
    boolean writable = result.getYear() >= 1 && result.getYear() <= 9999;
    return writable ? Optional.of(timestamp(result, start.getType())) : Optional.empty();
  }
}
