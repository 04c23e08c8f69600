package io.fulmar.catalog.scan.deletes;

import java.util.Arrays;

/** A growing list of longs. */
final class LongColumn {
  private long[] values = new long[16];
  private int size;

  void add(long value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, size + (size >> 1));
    }
    values[size++] = value;
  }

  long get(int index) {
    return values[index];
  }

  void set(int index, long value) {
    values[index] = value;
  }

  int size() {
    return size;
  }
}
