package io.fulmar.catalog.metadata;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What deletes a snapshot has, in live entries.
 *
 * @param positionDeleteFiles position-delete files
 * @param deletionVectors deletion vectors
 * @param equality sorted equality ids → files and rows
 */
public record DeleteInventory(
    long positionDeleteFiles, long deletionVectors, Map<List<Integer>, EqualityCount> equality) {
  /** No deletes. */
  public static final DeleteInventory NONE = new DeleteInventory(0, 0, Map.of());

  public DeleteInventory {
    equality = Map.copyOf(equality);
  }

  /** Equality-delete files of one id set, and the rows in them. */
  public record EqualityCount(long files, long rows) {
    EqualityCount plus(EqualityCount other) {
      return new EqualityCount(files + other.files, rows + other.rows);
    }
  }

  /** Whether any row may be deleted by its position. */
  public boolean hasPositionDeletes() {
    return positionDeleteFiles + deletionVectors > 0;
  }

  public boolean isEmpty() {
    return !hasPositionDeletes() && equality.isEmpty();
  }

  /** The sets of equality ids, each sorted, in a stable order. */
  public List<List<Integer>> equalityIdSets() {
    return equality.keySet().stream().sorted(DeleteInventory::compare).toList();
  }

  /** The counts of both. */
  public DeleteInventory plus(DeleteInventory other) {
    Map<List<Integer>, EqualityCount> sum = new TreeMap<>(DeleteInventory::compare);
    sum.putAll(equality);
    other.equality.forEach((ids, count) -> sum.merge(ids, count, EqualityCount::plus));
    return new DeleteInventory(
        positionDeleteFiles + other.positionDeleteFiles,
        deletionVectors + other.deletionVectors,
        sum);
  }

  private static int compare(List<Integer> left, List<Integer> right) {
    for (int index = 0; index < Math.min(left.size(), right.size()); index++) {
      int order = left.get(index).compareTo(right.get(index));
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(left.size(), right.size());
  }
}
