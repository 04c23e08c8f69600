package io.fulmar.reference.compute;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import org.apache.calcite.avatica.util.TimeUnitRange;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.type.SqlTypeName;

/** Parts of dates and timestamps without a zone. */
final class TimeParts {
  private static final long SECONDS_PER_DAY = 86_400;
  private static final long NANOS_PER_SECOND = 1_000_000_000;
  private static final long MICROS_PER_SECOND = 1_000_000;

  private TimeParts() {}

  static UnaryOperator<Object> of(TimeUnitRange unit, RelDataType source) {
    if (unit == null) {
      throw Unsupported.of("EXTRACT of this unit");
    }
    ToLongFunction<LocalDateTime> part =
        switch (unit) {
          case YEAR -> LocalDateTime::getYear;
          case MONTH -> LocalDateTime::getMonthValue;
          case DAY -> LocalDateTime::getDayOfMonth;
          case HOUR -> LocalDateTime::getHour;
          case MINUTE -> LocalDateTime::getMinute;
          default -> throw Unsupported.of("EXTRACT of " + unit);
        };
    return value -> part.applyAsLong(local((Long) value, source));
  }

  private static LocalDateTime local(long value, RelDataType source) {
    if (source.getSqlTypeName() == SqlTypeName.DATE) {
      return LocalDateTime.ofEpochSecond(value * SECONDS_PER_DAY, 0, ZoneOffset.UTC);
    }
    long units = Literals.isNanos(source) ? NANOS_PER_SECOND : MICROS_PER_SECOND;
    Instant instant =
        Instant.ofEpochSecond(
            Math.floorDiv(value, units), Math.floorMod(value, units) * (NANOS_PER_SECOND / units));
    return LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
  }
}
