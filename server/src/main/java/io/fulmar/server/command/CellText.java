package io.fulmar.server.command;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.ArrowType;

/** A value as text. */
final class CellText {
  private static final DateTimeFormatter TIMESTAMP =
      new DateTimeFormatterBuilder()
          .appendPattern("yyyy-MM-dd HH:mm:ss")
          .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
          .toFormatter();

  private CellText() {}

  /** The text of a value that is not NULL. */
  static String of(FieldVector vector, int row) {
    ArrowType type = vector.getField().getType();
    return switch (type.getTypeID()) {
      case Date -> LocalDate.ofEpochDay(vector.getDataBuffer().getInt(row * 4L)).toString();
      case Timestamp -> timestamp(vector, row, (ArrowType.Timestamp) type);
      case Time -> time(vector, row, (ArrowType.Time) type);
      case Binary, LargeBinary, FixedSizeBinary ->
          HexFormat.of().formatHex((byte[]) vector.getObject(row));
      case Decimal -> ((BigDecimal) vector.getObject(row)).toPlainString();
      default -> String.valueOf(vector.getObject(row));
    };
  }

  private static String timestamp(FieldVector vector, int row, ArrowType.Timestamp type) {
    long raw = vector.getDataBuffer().getLong(row * 8L);
    TimeUnit unit = unit(type.getUnit());
    long perSecond = unit.convert(1, TimeUnit.SECONDS);
    Instant instant =
        Instant.ofEpochSecond(
            Math.floorDiv(raw, perSecond), unit.toNanos(Math.floorMod(raw, perSecond)));
    String local = TIMESTAMP.format(LocalDateTime.ofInstant(instant, ZoneOffset.UTC));
    return type.getTimezone() == null ? local : local + "Z";
  }

  private static String time(FieldVector vector, int row, ArrowType.Time type) {
    long raw =
        type.getBitWidth() == 32
            ? vector.getDataBuffer().getInt(row * 4L)
            : vector.getDataBuffer().getLong(row * 8L);
    return LocalTime.ofNanoOfDay(unit(type.getUnit()).toNanos(raw)).toString();
  }

  private static TimeUnit unit(org.apache.arrow.vector.types.TimeUnit unit) {
    return switch (unit) {
      case SECOND -> TimeUnit.SECONDS;
      case MILLISECOND -> TimeUnit.MILLISECONDS;
      case MICROSECOND -> TimeUnit.MICROSECONDS;
      case NANOSECOND -> TimeUnit.NANOSECONDS;
    };
  }
}
