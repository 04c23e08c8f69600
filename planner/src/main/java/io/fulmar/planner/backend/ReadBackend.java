package io.fulmar.planner.backend;

import io.fulmar.catalog.host.BatchReader;
import org.apache.arrow.memory.BufferAllocator;

/** Reads snapshots: Arrow batches of live rows, all deletes applied. */
public interface ReadBackend {
  /**
   * Opens the live rows of a snapshot, in no order.
   *
   * @param allocator of the batches; it outlives the reader
   * @throws io.fulmar.catalog.error.FulmarException from the reader too, naming the file at fault
   */
  BatchReader read(TableRead read, BufferAllocator allocator);
}
