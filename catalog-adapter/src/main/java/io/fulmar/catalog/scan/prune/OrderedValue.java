package io.fulmar.catalog.scan.prune;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;
import org.apache.iceberg.types.Type;

/** A value that bounds and filters compare: four kinds stand for all types with an order. */
public sealed interface OrderedValue {
  /** boolean, int, long, date, time, timestamps. */
  record Whole(long value) implements OrderedValue {}

  /** float, double; never NaN; zeros of both signs are equal. */
  record Real(double value) implements OrderedValue {}

  /** decimal. */
  record Decimal(BigDecimal value) implements OrderedValue {}

  /** string as UTF-8, uuid, fixed, binary: in the order of unsigned bytes. */
  record Bytes(byte[] value) implements OrderedValue {
    /** Whether this value begins with all of another. */
    public boolean startsWith(Bytes prefix) {
      int length = prefix.value.length;
      return value.length >= length && Arrays.equals(value, 0, length, prefix.value, 0, length);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Bytes bytes && Arrays.equals(value, bytes.value);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(value);
    }
  }

  /**
   * Orders two values of one kind.
   *
   * @throws IllegalArgumentException if the kinds differ
   */
  static int compare(OrderedValue left, OrderedValue right) {
    if (left instanceof Whole a && right instanceof Whole b) {
      return Long.compare(a.value, b.value);
    }
    if (left instanceof Real a && right instanceof Real b) {
      return a.value < b.value ? -1 : a.value > b.value ? 1 : 0;
    }
    if (left instanceof Decimal a && right instanceof Decimal b) {
      return a.value.compareTo(b.value);
    }
    if (left instanceof Bytes a && right instanceof Bytes b) {
      return Arrays.compareUnsigned(a.value, b.value);
    }
    throw new IllegalArgumentException("No order between " + left + " and " + right);
  }

  /**
   * From Iceberg's internal Java form. Empty for NaN and for types without an order.
   *
   * @param value not null
   */
  static Optional<OrderedValue> of(Type type, Object value) {
    return switch (type.typeId()) {
      case BOOLEAN -> Optional.of(new Whole((Boolean) value ? 1 : 0));
      case INTEGER, LONG, DATE, TIME, TIMESTAMP, TIMESTAMP_NANO ->
          Optional.of(new Whole(((Number) value).longValue()));
      case FLOAT, DOUBLE -> real(((Number) value).doubleValue());
      case DECIMAL -> Optional.of(new Decimal((BigDecimal) value));
      case STRING -> Optional.of(new Bytes(value.toString().getBytes(StandardCharsets.UTF_8)));
      case UUID -> Optional.of(new Bytes(bytes((UUID) value)));
      case FIXED, BINARY -> Optional.of(new Bytes(bytes((ByteBuffer) value)));
      default -> Optional.empty();
    };
  }

  /** Empty for NaN. */
  static Optional<OrderedValue> real(double value) {
    return Double.isNaN(value) ? Optional.empty() : Optional.of(new Real(value));
  }

  /** The bytes that remain in a buffer, copied. */
  static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  private static byte[] bytes(UUID uuid) {
    return ByteBuffer.allocate(16)
        .putLong(uuid.getMostSignificantBits())
        .putLong(uuid.getLeastSignificantBits())
        .array();
  }
}
