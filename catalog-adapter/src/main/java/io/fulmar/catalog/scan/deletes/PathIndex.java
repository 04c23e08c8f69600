package io.fulmar.catalog.scan.deletes;

import java.util.function.IntConsumer;
import java.util.function.IntFunction;

/**
 * Finds the entries of a path among many. Keeps hashes and numbers; the caller holds the paths.
 * Several entries may have one path.
 */
final class PathIndex {
  private static final int FIRST_CAPACITY = 16;

  private final IntFunction<String> pathOf;
  private long[] hashes = new long[FIRST_CAPACITY];
  private int[] entries = new int[FIRST_CAPACITY];
  private int size;

  /**
   * @param pathOf the path of an entry
   */
  PathIndex(IntFunction<String> pathOf) {
    this.pathOf = pathOf;
  }

  boolean isEmpty() {
    return size == 0;
  }

  void add(String path, int entry) {
    if (size * 3L >= hashes.length * 2L) {
      grow();
    }
    insert(PathHash.of(path), entry);
    size++;
  }

  /** Hands every entry whose path is exactly the first characters of a path to an action. */
  void forEach(String path, int length, IntConsumer action) {
    if (size == 0) {
      return;
    }

    long hash = PathHash.of(path, length);
    int mask = hashes.length - 1;
    for (int slot = (int) hash & mask; hashes[slot] != 0; slot = (slot + 1) & mask) {
      if (hashes[slot] == hash && isPrefix(pathOf.apply(entries[slot]), path, length)) {
        action.accept(entries[slot]);
      }
    }
  }

  private static boolean isPrefix(String candidate, String path, int length) {
    return candidate.length() == length && path.startsWith(candidate);
  }

  private void insert(long hash, int entry) {
    int mask = hashes.length - 1;
    int slot = (int) hash & mask;
    while (hashes[slot] != 0) {
      slot = (slot + 1) & mask;
    }
    hashes[slot] = hash;
    entries[slot] = entry;
  }

  private void grow() {
    long[] oldHashes = hashes;
    int[] oldEntries = entries;
    hashes = new long[oldHashes.length * 2];
    entries = new int[oldHashes.length * 2];
    for (int slot = 0; slot < oldHashes.length; slot++) {
      if (oldHashes[slot] != 0) {
        insert(oldHashes[slot], oldEntries[slot]);
      }
    }
  }
}
