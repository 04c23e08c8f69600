package io.fulmar.planner.transport;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import org.apache.calcite.util.TimestampString;

/** Timestamps as counts since the epoch. */
final class TimestampValues {
  private static final long MICROS_PER_SECOND = 1_000_000L;
  private static final long NANOS_PER_SECOND = 1_000_000_000L;
  private static final int NANOS_PER_MICRO = 1_000;

  private TimestampValues() {}

  /** Microseconds; finer digits are cut. */
  static long micros(TimestampString text) {
    LocalDateTime local = parse(text);
    return Math.addExact(
        Math.multiplyExact(local.toEpochSecond(ZoneOffset.UTC), MICROS_PER_SECOND),
        local.getNano() / NANOS_PER_MICRO);
  }

  /**
   * Nanoseconds.
   *
   * @throws ArithmeticException outside the years 1678 to 2261
   */
  static long nanos(TimestampString text) {
    LocalDateTime local = parse(text);
    return Math.addExact(
        Math.multiplyExact(local.toEpochSecond(ZoneOffset.UTC), NANOS_PER_SECOND), local.getNano());
  }

  static boolean isWholeMicros(TimestampString text) {
    return parse(text).getNano() % NANOS_PER_MICRO == 0;
  }

  private static LocalDateTime parse(TimestampString text) {
    return LocalDateTime.parse(text.toString().replace(' ', 'T'));
  }
}
