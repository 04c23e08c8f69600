package io.fulmar.server.result;

import java.util.function.Consumer;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/** Cuts batches by their measured bytes, so that every client's message limit holds. */
final class BatchSplitter {
  private final long maxBytes;

  BatchSplitter(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Gives the batch in parts of at most the size; a row that is larger goes alone. */
  void split(VectorSchemaRoot batch, Consumer<VectorSchemaRoot> consumer) {
    int rows = batch.getRowCount();
    long bytes = bytes(batch);
    if (bytes <= maxBytes || rows <= 1) {
      consumer.accept(batch);
      return;
    }

    int partRows = (int) Math.max(1, Math.min(rows / 2, rows * maxBytes / bytes));
    for (int start = 0; start < rows; start += partRows) {
      try (VectorSchemaRoot part = batch.slice(start, Math.min(partRows, rows - start))) {
        split(part, consumer);
      }
    }
  }

  private static long bytes(VectorSchemaRoot batch) {
    long bytes = 0;
    for (FieldVector vector : batch.getFieldVectors()) {
      bytes += vector.getBufferSize();
    }
    return bytes;
  }
}
