package io.fulmar.catalog.scan;

import io.fulmar.catalog.scan.deletes.PathHash;

/**
 * Remembers paths by their hash, eight bytes each. A repeated hash is a repeated path but for one
 * case in billions of billions, which the caller has to tell apart.
 */
final class SeenPaths {
  private static final int FIRST_CAPACITY = 64;

  private long[] hashes = new long[FIRST_CAPACITY];
  private int size;

  /** Whether the hash was not there yet. */
  boolean add(String path) {
    if (size * 3L >= hashes.length * 2L) {
      grow();
    }

    boolean added = insert(hashes, PathHash.of(path));
    size += added ? 1 : 0;
    return added;
  }

  /** Whether the path was added. */
  boolean contains(String path) {
    long hash = PathHash.of(path);
    int mask = hashes.length - 1;
    int slot = (int) hash & mask;
    while (hashes[slot] != 0) {
      if (hashes[slot] == hash) {
        return true;
      }
      slot = (slot + 1) & mask;
    }
    return false;
  }

  boolean isEmpty() {
    return size == 0;
  }

  private void grow() {
    long[] larger = new long[hashes.length * 2];
    for (long hash : hashes) {
      if (hash != 0) {
        insert(larger, hash);
      }
    }
    hashes = larger;
  }

  private static boolean insert(long[] table, long hash) {
    int mask = table.length - 1;
    int slot = (int) hash & mask;
    while (table[slot] != 0) {
      if (table[slot] == hash) {
        return false;
      }
      slot = (slot + 1) & mask;
    }
    table[slot] = hash;
    return true;
  }
}
