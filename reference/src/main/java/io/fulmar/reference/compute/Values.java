package io.fulmar.reference.compute;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * SQL values in Java: Boolean; Long for integers of every width, dates (days), times
 * (microseconds), timestamps (microseconds, or nanoseconds in a type of more than six digits) and
 * intervals (months or microseconds); Float for REAL, Double for DOUBLE, BigDecimal of the type's
 * scale, String, ByteBuffer; List for rows and arrays, Map for maps; null for NULL.
 */
final class Values {
  private Values() {}

  /** Order of two values of one type that are not NULL: NaN is greatest, zeros are equal. */
  static int compare(Object left, Object right) {
    if (left instanceof Long number) {
      return number.compareTo((Long) right);
    }
    if (left instanceof Double || left instanceof Float) {
      return Double.compare(canonical((Number) left), canonical((Number) right));
    }
    if (left instanceof BigDecimal number) {
      return number.compareTo((BigDecimal) right);
    }
    if (left instanceof String text) {
      return compareText(text, (String) right);
    }
    if (left instanceof Boolean truth) {
      return truth.compareTo((Boolean) right);
    }
    return compareBytes((ByteBuffer) left, (ByteBuffer) right);
  }

  private static double canonical(Number value) {
    double wide = value.doubleValue();
    return Double.isNaN(wide) ? Double.NaN : wide + 0.0;
  }

  /** By code point, which is also the order of UTF-8 bytes. */
  private static int compareText(String left, String right) {
    int shorter = Math.min(left.length(), right.length());
    for (int i = 0; i < shorter; i++) {
      char a = left.charAt(i);
      char b = right.charAt(i);
      if (a != b) {
        boolean mixed = Character.isSurrogate(a) != Character.isSurrogate(b);
        return mixed ? Character.isSurrogate(a) ? 1 : -1 : Character.compare(a, b);
      }
    }
    return Integer.compare(left.length(), right.length());
  }

  private static int compareBytes(ByteBuffer left, ByteBuffer right) {
    int shorter = Math.min(left.remaining(), right.remaining());
    for (int i = 0; i < shorter; i++) {
      int order = Integer.compare(left.get(i) & 0xff, right.get(i) & 0xff);
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(left.remaining(), right.remaining());
  }

  /** A form whose {@code equals} is SQL's IS NOT DISTINCT FROM, at every depth. */
  static Object key(Object value) {
    if (value instanceof Double || value instanceof Float) {
      return canonical((Number) value);
    }
    if (value instanceof BigDecimal number) {
      return number.stripTrailingZeros();
    }
    if (value instanceof List<?> elements) {
      List<Object> keys = new ArrayList<>();
      elements.forEach(element -> keys.add(key(element)));
      return keys;
    }
    if (value instanceof Map<?, ?> entries) {
      Map<Object, Object> keys = new LinkedHashMap<>();
      entries.forEach((k, v) -> keys.put(key(k), key(v)));
      return keys;
    }
    return value;
  }

  /** {@link #key} of each value. */
  static List<Object> keys(List<Object> values) {
    List<Object> keys = new ArrayList<>(values.size());
    values.forEach(value -> keys.add(key(value)));
    return keys;
  }

  /** The value as grouping shows it: floats in one form. */
  static Object grouped(Object value) {
    if (value instanceof Double number) {
      return canonical(number);
    }
    return value instanceof Float number ? (Object) (float) canonical(number) : value;
  }
}
