package io.fulmar.catalog.host;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.iceberg.Schema;

/** A table whose rows Java makes: Iceberg's metadata tables and the server's system tables. */
public interface HostTable {
  /** For EXPLAIN and errors. */
  String name();

  /** Columns in order; field ids need only be unique. */
  Schema schema();

  /**
   * Opens the rows as batches of at most {@code batchRows}, in the Arrow types of {@code
   * IcebergTypes.toArrow}.
   */
  BatchReader open(BufferAllocator allocator, int batchRows);
}
