package io.fulmar.catalog.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.NoSuchElementException;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.deletes.PositionDeleteIndex;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.CloseableIterator;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.IOUtil;
import org.apache.iceberg.io.SeekableInputStream;

/** The positions of one deletion vector, in order, a window at a time. */
final class DeletionVectorPositions implements CloseableIterator<Long> {
  private static final int WINDOW = 64 * 1024;

  private final PositionDeleteIndex index;
  private final long[] window = new long[WINDOW];
  private long remaining;
  private long windowStart;
  private int size;
  private int next;

  private DeletionVectorPositions(PositionDeleteIndex index) {
    this.index = index;
    this.remaining = index.cardinality();
  }

  /** Reads the vector when it is iterated; its framing and checksum are checked (rule R26). */
  static CloseableIterable<Long> of(FileIO io, DeleteFile file) {
    return CloseableIterable.withNoopClose(() -> new DeletionVectorPositions(read(io, file)));
  }

  private static PositionDeleteIndex read(FileIO io, DeleteFile file) {
    byte[] blob = new byte[Math.toIntExact(file.contentSizeInBytes())];
    try (SeekableInputStream in = io.newInputFile(file).newStream()) {
      in.seek(file.contentOffset());
      IOUtil.readFully(in, blob, 0, blob.length);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read the deletion vector in " + file.location(), e);
    }
    return PositionDeleteIndex.deserialize(blob, file);
  }

  @Override
  public boolean hasNext() {
    return next < size || remaining > 0;
  }

  @Override
  public Long next() {
    while (next == size) {
      if (remaining <= 0) {
        throw new NoSuchElementException();
      }
      fill();
    }
    return window[next++];
  }

  private void fill() {
    next = 0;
    size = 0;
    index.forEachInRange(windowStart, windowStart + WINDOW, position -> window[size++] = position);
    remaining -= size;
    windowStart += WINDOW;
  }

  @Override
  public void close() {
    // The vector is in memory.
  }
}
