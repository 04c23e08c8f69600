package io.fulmar.catalog.scan.deletes;

import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * Closed intervals of longs with a sequence number each. Finds those that meet an interval and are
 * newer than a sequence number in logarithmic time where intervals are narrow.
 */
final class IntervalIndex {
  private final int[] order;
  private final long[] low;
  private final long[] maxHigh;
  private final long[] maxSequence;
  private final int leaves;

  /**
   * @param lows of each entry; above its high where the entry has no interval
   */
  IntervalIndex(long[] lows, long[] highs, long[] sequences) {
    int size = lows.length;
    this.order = sortedBy(lows);
    this.low = new long[size];
    this.leaves = Math.max(1, Integer.highestOneBit(Math.max(1, size - 1)) << 1);
    this.maxHigh = new long[2 * leaves];
    this.maxSequence = new long[2 * leaves];
    Arrays.fill(maxHigh, Long.MIN_VALUE);
    Arrays.fill(maxSequence, Long.MIN_VALUE);
    for (int rank = 0; rank < size; rank++) {
      low[rank] = lows[order[rank]];
      maxHigh[leaves + rank] = highs[order[rank]];
      maxSequence[leaves + rank] = sequences[order[rank]];
    }
    for (int node = leaves - 1; node > 0; node--) {
      maxHigh[node] = Math.max(maxHigh[2 * node], maxHigh[2 * node + 1]);
      maxSequence[node] = Math.max(maxSequence[2 * node], maxSequence[2 * node + 1]);
    }
  }

  /**
   * Offers entries that meet [from, to] with a sequence number above {@code sequence}, in no order,
   * until one is taken.
   *
   * @param budget gives up after so many nodes
   * @return whether one was taken, or the search was given up
   */
  boolean any(long from, long to, long sequence, int budget, IntPredicate taken) {
    int end = upperBound(to);
    int[] left = {budget};
    return end > 0 && from <= to && search(1, 0, leaves, end, from, sequence, left, taken);
  }

  private boolean search(
      int node,
      int start,
      int width,
      int end,
      long from,
      long sequence,
      int[] left,
      IntPredicate taken) {
    if (start >= end || maxHigh[node] < from || maxSequence[node] <= sequence) {
      return false;
    }
    if (--left[0] < 0) {
      return true;
    }
    if (width == 1) {
      return taken.test(order[start]);
    }

    int half = width / 2;
    return search(2 * node, start, half, end, from, sequence, left, taken)
        || search(2 * node + 1, start + half, half, end, from, sequence, left, taken);
  }

  /** The count of entries whose low is at most a value. */
  private int upperBound(long value) {
    int from = 0;
    int to = low.length;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (low[middle] <= value) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  private static int[] sortedBy(long[] keys) {
    Integer[] order = new Integer[keys.length];
    Arrays.setAll(order, index -> index);
    Arrays.sort(order, (left, right) -> Long.compare(keys[left], keys[right]));
    return Arrays.stream(order).mapToInt(Integer::intValue).toArray();
  }
}
