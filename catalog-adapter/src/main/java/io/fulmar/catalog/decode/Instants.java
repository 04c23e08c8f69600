package io.fulmar.catalog.decode;

/** Units of time in files; a value outside a long fails with ArithmeticException. */
final class Instants {
  static final long MICROS_PER_MILLI = 1_000;
  static final long MICROS_PER_DAY = 86_400_000_000L;
  static final long NANOS_PER_DAY = 86_400_000_000_000L;

  private static final long MILLIS_PER_SECOND = 1_000;
  private static final long MICROS_PER_SECOND = 1_000_000;
  private static final long NANOS_PER_SECOND = 1_000_000_000;
  private static final long NANOS_PER_MICRO = 1_000;

  private Instants() {}

  /**
   * Microseconds of an ORC timestamp.
   *
   * @param millis whose fraction of a second is also in {@code nanos}
   * @param nanos of the second, not negative
   */
  static long micros(long millis, int nanos) {
    return Math.addExact(
        Math.multiplyExact(Math.floorDiv(millis, MILLIS_PER_SECOND), MICROS_PER_SECOND),
        nanos / NANOS_PER_MICRO);
  }

  /** Nanoseconds of an ORC timestamp. */
  static long nanos(long millis, int nanos) {
    return Math.addExact(
        Math.multiplyExact(Math.floorDiv(millis, MILLIS_PER_SECOND), NANOS_PER_SECOND), nanos);
  }
}
