package io.fulmar.catalog.host;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.UUID;
import org.apache.avro.generic.GenericFixed;
import org.apache.avro.util.Utf8;
import org.apache.iceberg.variants.VariantMetadata;
import org.apache.iceberg.variants.VariantValue;

/** Java values of either of Iceberg's forms, turned into what Arrow's vectors take. */
final class ArrowValues {
  private static final int UUID_BYTES = 16;
  private static final long NANOS_PER_MICRO = 1_000;
  private static final long MICROS_PER_SECOND = 1_000_000;
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private ArrowValues() {}

  static int toInt(Object value) {
    return Math.toIntExact(((Number) value).longValue());
  }

  static long toLong(Object value) {
    return ((Number) value).longValue();
  }

  static BigDecimal toDecimal(Object value, int scale) {
    return ((BigDecimal) value).setScale(scale);
  }

  static int toDays(Object value) {
    return value instanceof LocalDate date ? Math.toIntExact(date.toEpochDay()) : toInt(value);
  }

  static long toMicrosOfDay(Object value) {
    return value instanceof LocalTime time ? time.toNanoOfDay() / NANOS_PER_MICRO : toLong(value);
  }

  static long toMicros(Object value) {
    if (value instanceof Number) {
      return toLong(value);
    }

    Instant instant = toInstant(value);
    return Math.addExact(
        Math.multiplyExact(instant.getEpochSecond(), MICROS_PER_SECOND),
        instant.getNano() / NANOS_PER_MICRO);
  }

  static long toNanos(Object value) {
    if (value instanceof Number) {
      return toLong(value);
    }

    Instant instant = toInstant(value);
    return Math.addExact(
        Math.multiplyExact(instant.getEpochSecond(), NANOS_PER_SECOND), instant.getNano());
  }

  private static Instant toInstant(Object value) {
    if (value instanceof LocalDateTime local) {
      return local.toInstant(ZoneOffset.UTC);
    }
    return value instanceof OffsetDateTime offset ? offset.toInstant() : (Instant) value;
  }

  static byte[] toUtf8(Object value) {
    if (value instanceof Utf8 utf8) {
      return Arrays.copyOf(utf8.getBytes(), utf8.getByteLength());
    }
    return ((CharSequence) value).toString().getBytes(StandardCharsets.UTF_8);
  }

  static UUID toUuid(Object value) {
    if (value instanceof UUID uuid) {
      return uuid;
    }
    if (value instanceof CharSequence text) {
      return UUID.fromString(text.toString());
    }

    ByteBuffer bytes = ByteBuffer.wrap(toBytes(value));
    if (bytes.remaining() != UUID_BYTES) {
      throw new ArithmeticException(bytes.remaining() + " bytes where a uuid is wanted");
    }
    return new UUID(bytes.getLong(), bytes.getLong());
  }

  static byte[] toBytes(Object value) {
    if (value instanceof byte[] bytes) {
      return bytes;
    }
    if (value instanceof UUID uuid) {
      return ByteBuffer.allocate(UUID_BYTES)
          .putLong(uuid.getMostSignificantBits())
          .putLong(uuid.getLeastSignificantBits())
          .array();
    }
    if (value instanceof GenericFixed fixed) {
      return fixed.bytes();
    }

    ByteBuffer buffer = ((ByteBuffer) value).duplicate();
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }

  static byte[] serialize(VariantMetadata metadata) {
    ByteBuffer buffer = ByteBuffer.allocate(metadata.sizeInBytes()).order(ByteOrder.LITTLE_ENDIAN);
    metadata.writeTo(buffer, 0);
    return buffer.array();
  }

  static byte[] serialize(VariantValue value) {
    ByteBuffer buffer = ByteBuffer.allocate(value.sizeInBytes()).order(ByteOrder.LITTLE_ENDIAN);
    value.writeTo(buffer, 0);
    return buffer.array();
  }
}
