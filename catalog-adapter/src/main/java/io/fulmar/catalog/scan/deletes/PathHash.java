package io.fulmar.catalog.scan.deletes;

/** A 64-bit hash of a path or of its beginning. */
public final class PathHash {
  private static final long PRIME = 0x9E3779B97F4A7C15L;

  private PathHash() {}

  /** Of the whole path; never 0. */
  public static long of(String path) {
    return of(path, path.length());
  }

  /** Of the first characters; never 0. */
  static long of(String path, int length) {
    long hash = length * PRIME;
    for (int index = 0; index < length; index++) {
      hash = (hash ^ path.charAt(index)) * PRIME;
      hash ^= hash >>> 29;
    }

    hash = (hash ^ (hash >>> 32)) * 0xD6E8FEB86659FD93L;
    hash ^= hash >>> 32;
    return hash == 0 ? 1 : hash;
  }
}
