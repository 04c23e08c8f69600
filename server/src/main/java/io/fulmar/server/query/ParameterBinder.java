package io.fulmar.server.query;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.planner.ParameterValues;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;

/**
 * Turns one row of Arrow vectors into parameter values. The type that was sent decides, not the one
 * that was announced: ADBC sends its own.
 */
final class ParameterBinder {
  private ParameterBinder() {}

  /**
   * Binds.
   *
   * @param root the batch; its only row has a value for each parameter
   * @param count the statement's parameters
   * @throws FulmarException INVALID_PARAMETER
   */
  static ParameterValues bind(VectorSchemaRoot root, int count) {
    if (root.getRowCount() != 1) {
      throw new FulmarException(
          ErrorCode.INVALID_PARAMETER, "Expected one row of parameters, got " + root.getRowCount());
    }
    if (root.getFieldVectors().size() != count) {
      throw new FulmarException(
          ErrorCode.INVALID_PARAMETER,
          "The statement has %d parameters, %d were bound"
              .formatted(count, root.getFieldVectors().size()));
    }

    return ParameterValues.of(
        root.getFieldVectors().stream().map(vector -> value(vector, 0)).toArray());
  }

  private static Object value(FieldVector vector, int row) {
    Object value = vector.isNull(row) ? null : vector.getObject(row);
    if (value == null) {
      return null;
    }

    ArrowType type = vector.getField().getType();
    return switch (type.getTypeID()) {
      case Bool, Utf8, LargeUtf8, Utf8View, Decimal -> plain(value);
      case Int -> integer(value, (ArrowType.Int) type);
      case FloatingPoint -> ((Number) value).doubleValue();
      case Binary, LargeBinary, FixedSizeBinary, BinaryView -> bytes(value);
      case Date -> date(value, ((ArrowType.Date) type).getUnit());
      case Time -> time(value, (ArrowType.Time) type);
      case Timestamp -> timestamp(vector, row, (ArrowType.Timestamp) type);
      default ->
          throw new FulmarException(
              ErrorCode.INVALID_PARAMETER, "A parameter cannot have the type " + type);
    };
  }

  private static Object plain(Object value) {
    boolean known = value instanceof Boolean || value instanceof BigDecimal;
    return known ? value : value.toString();
  }

  private static Object integer(Object value, ArrowType.Int type) {
    if (type.getIsSigned()) {
      return ((Number) value).longValue();
    }
    if (type.getBitWidth() == 64) {
      return new BigDecimal(new BigInteger(Long.toUnsignedString(((Number) value).longValue())));
    }

    long mask = (1L << type.getBitWidth()) - 1;
    long bits = value instanceof Character c ? c : ((Number) value).longValue();
    return bits & mask;
  }

  private static Object bytes(Object value) {
    if (value instanceof ByteBuffer buffer) {
      byte[] copy = new byte[buffer.remaining()];
      buffer.get(copy);
      return copy;
    }

    return ((byte[]) value).clone();
  }

  private static LocalDate date(Object value, DateUnit unit) {
    if (value instanceof LocalDateTime dateTime) {
      return dateTime.toLocalDate();
    }

    return unit == DateUnit.DAY
        ? LocalDate.ofEpochDay(((Number) value).longValue())
        : Instant.ofEpochMilli(((Number) value).longValue()).atZone(ZoneOffset.UTC).toLocalDate();
  }

  private static LocalTime time(Object value, ArrowType.Time type) {
    if (value instanceof LocalDateTime dateTime) {
      return dateTime.toLocalTime();
    }

    return LocalTime.ofNanoOfDay(toTimeUnit(type.getUnit()).toNanos(((Number) value).longValue()));
  }

  private static Object timestamp(FieldVector vector, int row, ArrowType.Timestamp type) {
    long raw = vector.getDataBuffer().getLong(row * (long) Long.BYTES);
    TimeUnit unit = toTimeUnit(type.getUnit());
    long seconds = Math.floorDiv(raw, unit.convert(1, TimeUnit.SECONDS));
    long rest = Math.floorMod(raw, unit.convert(1, TimeUnit.SECONDS));
    Instant instant = Instant.ofEpochSecond(seconds, unit.toNanos(rest));
    return type.getTimezone() == null ? LocalDateTime.ofInstant(instant, ZoneOffset.UTC) : instant;
  }

  private static TimeUnit toTimeUnit(org.apache.arrow.vector.types.TimeUnit unit) {
    return switch (unit) {
      case SECOND -> TimeUnit.SECONDS;
      case MILLISECOND -> TimeUnit.MILLISECONDS;
      case MICROSECOND -> TimeUnit.MICROSECONDS;
      case NANOSECOND -> TimeUnit.NANOSECONDS;
    };
  }
}
