package io.fulmar.reference.read;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.StructLike;

/**
 * Where a file lies: its spec and its partition values, equal by value with float bits (rule R14).
 *
 * @param values in forms with {@code equals}; NULL is null
 */
record PartitionTuple(int specId, List<Object> values) {
  static PartitionTuple of(ContentFile<?> file) {
    List<Object> values = new ArrayList<>();
    StructLike tuple = file.partition();
    for (int i = 0; i < tuple.size(); i++) {
      values.add(comparable(tuple.get(i, Object.class)));
    }
    return new PartitionTuple(file.specId(), values);
  }

  /** Manifests may hold a narrower number, or another class of text, for an equal value. */
  private static Object comparable(Object value) {
    if (value instanceof CharSequence text) {
      return text.toString();
    }
    if (value instanceof byte[] bytes) {
      return ByteBuffer.wrap(bytes.clone());
    }
    if (value instanceof ByteBuffer buffer) {
      return buffer.duplicate();
    }
    if (value instanceof Integer number) {
      return number.longValue();
    }
    return value instanceof Float number ? Double.valueOf(number) : value;
  }
}
