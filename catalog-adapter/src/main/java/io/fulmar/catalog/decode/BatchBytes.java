package io.fulmar.catalog.decode;

/** Counts the variable-length bytes of a batch, so that wide values make short batches. */
final class BatchBytes {
  private static final long LIMIT = 16L << 20;

  private long bytes;

  void add(int count) {
    bytes += count;
  }

  boolean full() {
    return bytes >= LIMIT;
  }

  void reset() {
    bytes = 0;
  }
}
