package io.fulmar.catalog.host;

import java.util.Arrays;
import org.apache.iceberg.StructLike;

/** An immutable row of values by position; a value may be null. */
public final class HostRow implements StructLike {
  private final Object[] values;

  private HostRow(Object[] values) {
    this.values = values;
  }

  public static HostRow of(Object... values) {
    return new HostRow(values.clone());
  }

  @Override
  public int size() {
    return values.length;
  }

  @Override
  public <T> T get(int position, Class<T> javaClass) {
    return javaClass.cast(values[position]);
  }

  @Override
  public <T> void set(int position, T value) {
    throw new UnsupportedOperationException("A host row cannot be changed");
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof HostRow row && Arrays.equals(values, row.values);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(values);
  }

  @Override
  public String toString() {
    return Arrays.toString(values);
  }
}
