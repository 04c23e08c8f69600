package io.fulmar.planner.type;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQueries;
import java.util.Locale;
import java.util.Optional;

/**
 * Dates and times as people and tools write them: {@code 2024-01-31}, {@code 2024-01-31 12:00},
 * {@code 2024-01-31T12:00:00.123456Z}, {@code 2024-01-31 12:00:00+02:00}, {@code 2024-01-31
 * 12:00:00 Europe/Berlin}.
 */
public final class TimeText {
  private static final DateTimeFormatter FORMAT =
      new DateTimeFormatterBuilder()
          .parseCaseInsensitive()
          .append(DateTimeFormatter.ISO_LOCAL_DATE)
          .optionalStart()
          .appendPattern("[ ]['T']H:mm[:ss]")
          .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
          .optionalStart()
          .appendPattern("[ ]")
          .appendOffset("+HHMM", "Z")
          .optionalEnd()
          .optionalStart()
          .appendPattern("[ ]")
          .appendOffset("+HH:mm", "Z")
          .optionalEnd()
          .optionalStart()
          .appendLiteral(' ')
          .appendZoneRegionId()
          .optionalEnd()
          .optionalEnd()
          .toFormatter(Locale.ROOT)
          .withResolverStyle(ResolverStyle.STRICT);

  private static final long MICROS_PER_SECOND = 1_000_000;
  private static final int NANOS_PER_MICRO = 1_000;

  /**
   * @param local date and time as written; midnight where no time is
   * @param offset from UTC, where one or a zone is written
   */
  public record Parsed(LocalDateTime local, Optional<ZoneOffset> offset) {
    /** The wall clock in UTC of what has an offset, else as written. */
    public LocalDateTime utc() {
      return offset.map(written -> local.minusSeconds(written.getTotalSeconds())).orElse(local);
    }
  }

  private TimeText() {}

  /** Empty for what is not in one of these forms. */
  public static Optional<Parsed> parse(String text) {
    try {
      TemporalAccessor parsed = FORMAT.parse(text.trim());
      LocalTime time =
          Optional.ofNullable(parsed.query(TemporalQueries.localTime())).orElse(LocalTime.MIDNIGHT);
      LocalDateTime local = parsed.query(TemporalQueries.localDate()).atTime(time);
      Optional<ZoneOffset> offset =
          Optional.ofNullable(parsed.query(TemporalQueries.zone()))
              .map(zone -> local.atZone(zone).getOffset());
      return Optional.of(new Parsed(local, offset));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** Microseconds since the epoch; {@code zone} applies where the text has no offset. */
  public static Optional<Long> micros(String text, ZoneId zone) {
    return parse(text)
        .map(
            parsed ->
                parsed
                    .offset()
                    .map(offset -> parsed.local().toInstant(offset))
                    .orElseGet(() -> parsed.local().atZone(zone).toInstant()))
        .map(
            instant ->
                Math.addExact(
                    Math.multiplyExact(instant.getEpochSecond(), MICROS_PER_SECOND),
                    instant.getNano() / NANOS_PER_MICRO));
  }
}
