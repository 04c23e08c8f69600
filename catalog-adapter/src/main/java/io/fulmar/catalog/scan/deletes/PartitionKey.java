package io.fulmar.catalog.scan.deletes;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.iceberg.StructLike;

/**
 * A partition: spec and tuple by value (rule R14). Floats compare by bits, with one NaN and two
 * zeros; NULL is a value of its own; the same tuple under another spec is another partition.
 */
public record PartitionKey(int specId, List<Object> tuple) {
  public PartitionKey {
    tuple = Collections.unmodifiableList(new ArrayList<>(tuple));
  }

  /** Copies the values of a tuple. */
  public static PartitionKey of(int specId, StructLike tuple) {
    List<Object> values = new ArrayList<>(tuple.size());
    for (int position = 0; position < tuple.size(); position++) {
      values.add(comparable(tuple.get(position, Object.class)));
    }
    return new PartitionKey(specId, values);
  }

  /** The form in which equal values are equal objects, however wide they were written. */
  private static Object comparable(Object value) {
    if (value instanceof Integer number) {
      return number.longValue();
    }
    if (value instanceof Float number) {
      return number.doubleValue();
    }
    if (value instanceof CharSequence) {
      return value.toString();
    }
    if (value instanceof ByteBuffer bytes) {
      return ByteBuffer.allocate(bytes.remaining()).put(bytes.duplicate()).flip();
    }
    return value;
  }

  @Override
  public String toString() {
    return "spec " + specId + " " + tuple;
  }
}
