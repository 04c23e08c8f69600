package io.fulmar.catalog.host;

import static java.util.Objects.requireNonNull;

import java.util.function.Supplier;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.io.CloseableIterable;

/**
 * A host table over rows of Java values: each {@link #open} asks the supplier for them anew and
 * pulls them as batches are asked for.
 *
 * @param name for EXPLAIN and errors
 * @param schema the columns
 * @param rows each row has the schema's columns by position, in Iceberg's internal or generic Java
 *     form; {@link HostRow} makes one from values
 */
public record RowsHostTable(
    String name, Schema schema, Supplier<? extends CloseableIterable<? extends StructLike>> rows)
    implements HostTable {
  public RowsHostTable {
    requireNonNull(name, "name is null");
    requireNonNull(schema, "schema is null");
    requireNonNull(rows, "rows is null");
  }

  @Override
  public BatchReader open(BufferAllocator allocator, int batchRows) {
    if (batchRows <= 0) {
      throw new IllegalArgumentException("Rows of a batch must be positive: " + batchRows);
    }
    return new RowBatchReader(name, schema, rows.get(), allocator, batchRows);
  }
}
