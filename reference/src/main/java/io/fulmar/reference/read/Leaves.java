package io.fulmar.reference.read;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/**
 * Values that are no struct, list or map, in one Java form for each type: Boolean; Long for int,
 * long, date (days), time and timestamp (microseconds), timestamp_ns (nanoseconds); Float, Double,
 * BigDecimal, String, UUID, Variant; ByteBuffer for bytes of every kind.
 */
final class Leaves {
  private static final long MICROS_PER_DAY = 86_400_000_000L;
  private static final long MICROS_PER_SECOND = 1_000_000;
  private static final long NANOS_PER_SECOND = 1_000_000_000;
  private static final int NANOS_PER_MICRO = 1_000;

  private Leaves() {}

  /** The form of this class for a value in Iceberg's generic or internal form; null stays null. */
  static Object raw(Type type, Object value) {
    if (value == null) {
      return null;
    }
    return switch (type.typeId()) {
      case INTEGER, LONG -> ((Number) value).longValue();
      case FLOAT -> ((Number) value).floatValue();
      case DOUBLE -> ((Number) value).doubleValue();
      case DATE -> value instanceof LocalDate date ? date.toEpochDay() : integral(value);
      case TIME ->
          value instanceof LocalTime time ? time.toNanoOfDay() / NANOS_PER_MICRO : integral(value);
      case TIMESTAMP -> value instanceof Number ? integral(value) : since(value, MICROS_PER_SECOND);
      case TIMESTAMP_NANO ->
          value instanceof Number ? integral(value) : since(value, NANOS_PER_SECOND);
      case STRING -> value.toString();
      case FIXED, BINARY, GEOMETRY, GEOGRAPHY -> bytes(value);
      case UUID -> value instanceof UUID ? value : uuid(bytes(value));
      case UNKNOWN -> null;
      default -> value;
    };
  }

  private static Long integral(Object value) {
    return ((Number) value).longValue();
  }

  private static long since(Object value, long unitsPerSecond) {
    Instant instant =
        value instanceof LocalDateTime local
            ? local.toInstant(ZoneOffset.UTC)
            : ((OffsetDateTime) value).toInstant();
    long fraction = instant.getNano() / (NANOS_PER_SECOND / unitsPerSecond);
    return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), unitsPerSecond), fraction);
  }

  private static ByteBuffer bytes(Object value) {
    if (value instanceof byte[] array) {
      return ByteBuffer.wrap(array.clone());
    }
    if (value instanceof UUID uuid) {
      return ByteBuffer.allocate(2 * Long.BYTES)
          .putLong(0, uuid.getMostSignificantBits())
          .putLong(Long.BYTES, uuid.getLeastSignificantBits());
    }
    ByteBuffer source = ((ByteBuffer) value).duplicate();
    ByteBuffer copy = ByteBuffer.allocate(source.remaining());
    copy.put(source).flip();
    return copy;
  }

  private static UUID uuid(ByteBuffer bytes) {
    return new UUID(bytes.getLong(0), bytes.getLong(Long.BYTES));
  }

  /**
   * How a value of a file's type becomes one of the table's: rule R34, and what imported files hold
   * (other units and zones of timestamps, bytes for text and uuids). Empty where it cannot.
   */
  static Optional<UnaryOperator<Object>> promotion(Type from, Type to) {
    if (from.typeId() == Type.TypeID.UNKNOWN || to.typeId() == Type.TypeID.UNKNOWN) {
      return Optional.of(value -> null);
    }
    if (from.typeId() == to.typeId()) {
      return sameKind(from, to);
    }
    return switch (to.typeId()) {
      case LONG -> from.typeId() == Type.TypeID.INTEGER ? identity() : Optional.empty();
      case DOUBLE ->
          from.typeId() == Type.TypeID.FLOAT
              ? Optional.of(value -> ((Float) value).doubleValue())
              : Optional.empty();
      case TIMESTAMP -> toTimestamp(from, ((Types.TimestampType) to).shouldAdjustToUTC());
      case TIMESTAMP_NANO -> toNanos(from, ((Types.TimestampNanoType) to).shouldAdjustToUTC());
      case STRING ->
          from.typeId() == Type.TypeID.BINARY ? Optional.of(Leaves::text) : Optional.empty();
      case UUID ->
          isBytes(from) ? Optional.of(value -> uuid((ByteBuffer) value)) : Optional.empty();
      case FIXED, BINARY, GEOMETRY, GEOGRAPHY -> isBytes(from) ? identity() : Optional.empty();
      default -> Optional.empty();
    };
  }

  private static Optional<UnaryOperator<Object>> sameKind(Type from, Type to) {
    if (!(to instanceof Types.DecimalType wanted)) {
      return identity();
    }
    Types.DecimalType has = (Types.DecimalType) from;
    return has.scale() == wanted.scale() && has.precision() <= wanted.precision()
        ? Optional.of(value -> ((BigDecimal) value).setScale(wanted.scale()))
        : Optional.empty();
  }

  private static Optional<UnaryOperator<Object>> toTimestamp(Type from, boolean zoned) {
    return switch (from.typeId()) {
      case DATE ->
          zoned
              ? Optional.empty()
              : Optional.of(value -> Math.multiplyExact((Long) value, MICROS_PER_DAY));
      case TIMESTAMP_NANO ->
          Optional.of(value -> Math.floorDiv((Long) value, (long) NANOS_PER_MICRO));
      default -> Optional.empty();
    };
  }

  private static Optional<UnaryOperator<Object>> toNanos(Type from, boolean zoned) {
    return switch (from.typeId()) {
      case DATE ->
          zoned
              ? Optional.empty()
              : Optional.of(
                  value -> Math.multiplyExact((Long) value, MICROS_PER_DAY * NANOS_PER_MICRO));
      case TIMESTAMP ->
          Optional.of(value -> Math.multiplyExact((Long) value, (long) NANOS_PER_MICRO));
      default -> Optional.empty();
    };
  }

  private static Object text(Object bytes) {
    return StandardCharsets.UTF_8.decode(((ByteBuffer) bytes).duplicate()).toString();
  }

  private static boolean isBytes(Type type) {
    return switch (type.typeId()) {
      case FIXED, BINARY, GEOMETRY, GEOGRAPHY -> true;
      default -> false;
    };
  }

  private static Optional<UnaryOperator<Object>> identity() {
    return Optional.of(UnaryOperator.identity());
  }

  /** A form whose {@code equals} is that of delete keys: floats by canonical bits (rule R20). */
  static Object key(Object raw) {
    if (raw instanceof Float number) {
      return Float.floatToIntBits(number);
    }
    return raw instanceof Double number ? (Object) Double.doubleToLongBits(number) : raw;
  }
}
