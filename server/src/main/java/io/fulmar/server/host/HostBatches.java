package io.fulmar.server.host;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.host.BatchReader;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.arrow.c.ArrowArray;
import org.apache.arrow.c.ArrowSchema;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * Batch readers that a query has open, by number; exports their batches through the Arrow C data
 * interface. Safe for use by several threads, each reader by one at a time.
 */
final class HostBatches implements AutoCloseable {
  private final BufferAllocator allocator;
  private final Map<Long, BatchReader> open = new ConcurrentHashMap<>();
  private final AtomicLong nextId = new AtomicLong(1);

  HostBatches(BufferAllocator allocator) {
    this.allocator = requireNonNull(allocator, "allocator is null");
  }

  /** Takes over the reader and exports its schema. */
  long add(BatchReader reader, long schemaAddress) {
    long id = nextId.getAndIncrement();
    open.put(id, reader);
    Data.exportSchema(allocator, reader.root().getSchema(), null, ArrowSchema.wrap(schemaAddress));
    return id;
  }

  /** Exports the next batch; false at the end. */
  boolean next(long id, long arrayAddress) {
    BatchReader reader = open.get(id);
    if (reader == null) {
      throw new FulmarException(ErrorCode.INTERNAL_ERROR, "No batch reader " + id + " is open");
    }
    if (!reader.next()) {
      return false;
    }

    VectorSchemaRoot root = reader.root();
    Data.exportVectorSchemaRoot(allocator, root, null, ArrowArray.wrap(arrayAddress));
    return true;
  }

  void close(long id) {
    BatchReader reader = open.remove(id);
    if (reader != null) {
      reader.close();
    }
  }

  @Override
  public void close() {
    open.keySet().forEach(this::close);
  }
}
