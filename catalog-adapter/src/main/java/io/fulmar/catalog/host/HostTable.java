package io.fulmar.catalog.host;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.iceberg.Schema;
import org.apache.iceberg.expressions.Expression;

/** A table whose rows Java makes: Iceberg's metadata tables and the server's system tables. */
public interface HostTable {
  /** For EXPLAIN and errors. */
  String name();

  /** Columns in order; field ids need only be unique. */
  Schema schema();

  /**
   * The same table, which may leave out rows that a filter does not match; it need not.
   *
   * @param filter over {@link #schema()}, by name, unbound
   */
  default HostTable filtered(Expression filter) {
    return this;
  }

  /**
   * Opens the rows as batches of at most {@code batchRows}, in the Arrow types of {@code
   * IcebergTypes.toArrow}.
   */
  BatchReader open(BufferAllocator allocator, int batchRows);
}
