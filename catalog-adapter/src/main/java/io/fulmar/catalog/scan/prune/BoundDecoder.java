package io.fulmar.catalog.scan.prune;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Optional;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/**
 * Reads a bound of a column or partition field. A bound may be as narrow as the type was before
 * promotion (rule R34); bytes of any other length tell nothing.
 */
public final class BoundDecoder {
  private static final long MICROS_PER_DAY = Duration.ofDays(1).toMillis() * 1000;
  private static final long NANOS_PER_DAY = Duration.ofDays(1).toNanos();

  private BoundDecoder() {}

  /**
   * @param type the column's type now
   * @return empty if the bytes are no bound of the type, or NaN
   */
  public static Optional<OrderedValue> decode(Type type, ByteBuffer bound) {
    ByteBuffer bytes = bound.slice().order(ByteOrder.LITTLE_ENDIAN);
    int length = bytes.remaining();
    return switch (type.typeId()) {
      case BOOLEAN ->
          length == 1 ? Optional.of(new OrderedValue.Whole(bytes.get(0))) : Optional.empty();
      case INTEGER, DATE -> length == 4 ? whole(bytes.getInt(0)) : Optional.empty();
      case LONG -> length == 4 ? whole(bytes.getInt(0)) : eightBytes(bytes);
      case TIME -> eightBytes(bytes);
      case TIMESTAMP -> length == 4 ? days(bytes, MICROS_PER_DAY) : eightBytes(bytes);
      case TIMESTAMP_NANO -> length == 4 ? days(bytes, NANOS_PER_DAY) : eightBytes(bytes);
      case FLOAT -> length == 4 ? OrderedValue.real(bytes.getFloat(0)) : Optional.empty();
      case DOUBLE -> real(bytes);
      case DECIMAL -> decimal((Types.DecimalType) type, bytes);
      case UUID -> length == 16 ? raw(bytes) : Optional.empty();
      case STRING, FIXED, BINARY -> raw(bytes);
      default -> Optional.empty();
    };
  }

  private static Optional<OrderedValue> whole(long value) {
    return Optional.of(new OrderedValue.Whole(value));
  }

  private static Optional<OrderedValue> eightBytes(ByteBuffer bytes) {
    return bytes.remaining() == 8 ? whole(bytes.getLong(0)) : Optional.empty();
  }

  private static Optional<OrderedValue> days(ByteBuffer bytes, long unitsPerDay) {
    long days = bytes.getInt(0);
    return Math.abs(days) < Long.MAX_VALUE / unitsPerDay
        ? whole(days * unitsPerDay)
        : Optional.empty();
  }

  private static Optional<OrderedValue> real(ByteBuffer bytes) {
    return switch (bytes.remaining()) {
      case 4 -> OrderedValue.real(bytes.getFloat(0));
      case 8 -> OrderedValue.real(bytes.getDouble(0));
      default -> Optional.empty();
    };
  }

  private static Optional<OrderedValue> decimal(Types.DecimalType type, ByteBuffer bytes) {
    if (bytes.remaining() == 0 || bytes.remaining() > 16) {
      return Optional.empty();
    }
    BigInteger unscaled = new BigInteger(OrderedValue.bytes(bytes));
    return Optional.of(new OrderedValue.Decimal(new BigDecimal(unscaled, type.scale())));
  }

  private static Optional<OrderedValue> raw(ByteBuffer bytes) {
    return Optional.of(new OrderedValue.Bytes(OrderedValue.bytes(bytes)));
  }
}
