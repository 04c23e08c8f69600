package io.fulmar.catalog.scan.deletes;

import io.fulmar.catalog.scan.prune.OrderedValue;
import io.fulmar.catalog.scan.prune.ValueSummary;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/**
 * One key column of many delete files as intervals of longs. Values are mapped so that order is
 * kept, though different values may fall together: bytes by the eight after what all bounds have in
 * common. An interval of the mapping meets another wherever the values' intervals do.
 */
final class KeyColumn {
  private static final BigInteger MIN = BigInteger.valueOf(Long.MIN_VALUE);
  private static final BigInteger MAX = BigInteger.valueOf(Long.MAX_VALUE);

  private final Type type;
  private final List<Optional<OrderedValue>> lowers = new ArrayList<>();
  private final List<Optional<OrderedValue>> uppers = new ArrayList<>();
  private final BitSet nulls = new BitSet();
  private final BitSet noValues = new BitSet();
  private byte[] common = {};

  KeyColumn(Type type) {
    this.type = type;
  }

  /** Whether a column of a type can tell anything. */
  static boolean isUsable(Type type) {
    return switch (type.typeId()) {
      case BOOLEAN, INTEGER, LONG, DATE, TIME, TIMESTAMP, TIMESTAMP_NANO -> true;
      case DECIMAL, STRING, UUID, FIXED, BINARY -> true;
      default -> false;
    };
  }

  /** Adds the next delete file's values. */
  void add(ValueSummary values) {
    int index = lowers.size();
    nulls.set(index, values.nulls());
    noValues.set(index, !values.ordinary());
    lowers.add(values.lower());
    uppers.add(values.upper());
  }

  /** The intervals of all files; those without values have their low above their high. */
  Intervals finish() {
    common = commonPrefix();
    int size = lowers.size();
    long[] lows = new long[size];
    long[] highs = new long[size];
    for (int index = 0; index < size; index++) {
      boolean empty = noValues.get(index);
      lows[index] = empty ? Long.MAX_VALUE : floor(lowers.get(index));
      highs[index] = empty ? Long.MIN_VALUE : ceiling(uppers.get(index));
    }
    lowers.clear();
    uppers.clear();
    return new Intervals(this, lows, highs, nulls);
  }

  /** The lowest number that a value at or above a bound can have. */
  long floor(Optional<OrderedValue> lower) {
    return lower.map(value -> number(value, 0)).orElse(Long.MIN_VALUE);
  }

  /** The highest number that a value at or below a bound, or beginning with it, can have. */
  long ceiling(Optional<OrderedValue> upper) {
    return upper.map(value -> number(value, 0xff)).orElse(Long.MAX_VALUE);
  }

  /** The intervals of a finished column. */
  record Intervals(KeyColumn column, long[] lows, long[] highs, BitSet nulls) {
    boolean meets(int entry, long from, long to, boolean hasNulls) {
      return (hasNulls && nulls.get(entry))
          || (lows[entry] <= highs[entry]
              && from <= to
              && lows[entry] <= to
              && from <= highs[entry]);
    }

    long distinct() {
      return Arrays.stream(lows).distinct().count();
    }
  }

  private long number(OrderedValue value, int padding) {
    if (value instanceof OrderedValue.Whole whole) {
      return whole.value();
    }
    if (value instanceof OrderedValue.Decimal decimal) {
      return unscaled(decimal.value(), padding);
    }
    if (value instanceof OrderedValue.Bytes bytes) {
      return afterCommon(bytes.value(), padding);
    }
    return padding == 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
  }

  private long unscaled(BigDecimal value, int padding) {
    int scale = type instanceof Types.DecimalType decimal ? decimal.scale() : value.scale();
    RoundingMode mode = padding == 0 ? RoundingMode.FLOOR : RoundingMode.CEILING;
    return value.setScale(scale, mode).unscaledValue().max(MIN).min(MAX).longValue();
  }

  private long afterCommon(byte[] bytes, int padding) {
    int shared = Arrays.mismatch(bytes, common);
    if (shared >= 0 && shared < common.length) {
      boolean isPrefix = shared == bytes.length;
      boolean above = isPrefix ? padding > 0 : (bytes[shared] & 0xff) > (common[shared] & 0xff);
      return above ? Long.MAX_VALUE : Long.MIN_VALUE;
    }

    long number = 0;
    for (int index = 0; index < Long.BYTES; index++) {
      int at = common.length + index;
      number = (number << 8) | (at < bytes.length ? bytes[at] & 0xff : padding);
    }
    return number ^ Long.MIN_VALUE;
  }

  private byte[] commonPrefix() {
    byte[] prefix = null;
    for (List<Optional<OrderedValue>> bounds : List.of(lowers, uppers)) {
      for (Optional<OrderedValue> bound : bounds) {
        if (bound.isPresent() && bound.get() instanceof OrderedValue.Bytes bytes) {
          prefix = prefix == null ? bytes.value() : shared(prefix, bytes.value());
        }
      }
    }
    return prefix == null ? new byte[0] : prefix;
  }

  private static byte[] shared(byte[] left, byte[] right) {
    int length = Arrays.mismatch(left, right);
    return length < 0 ? left : Arrays.copyOf(left, length);
  }
}
