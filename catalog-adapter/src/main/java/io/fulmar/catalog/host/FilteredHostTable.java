package io.fulmar.catalog.host;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.scan.prune.RecordFilter;
import java.util.function.Function;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/**
 * A host table over rows that come from manifests: a filter skips manifests, and rows before they
 * become batches.
 *
 * @param rows are asked with the filter, which they may use to read less
 */
record FilteredHostTable(
    String name,
    Schema schema,
    RecordFilter filter,
    Function<RecordFilter, CloseableIterable<StructLike>> rows)
    implements HostTable {
  FilteredHostTable {
    requireNonNull(name, "name is null");
    requireNonNull(schema, "schema is null");
    requireNonNull(filter, "filter is null");
    requireNonNull(rows, "rows is null");
  }

  @Override
  public HostTable filtered(Expression expression) {
    RecordFilter bound = RecordFilter.of(expression, schema, partition(schema));
    return new FilteredHostTable(name, schema, bound, rows);
  }

  /** The struct of partition fields, where the rows have one. */
  static Types.StructType partition(Schema schema) {
    Type type = schema.findType("partition");
    Type nested = type == null ? schema.findType("data_file.partition") : type;
    return nested == null || !nested.isStructType() ? Types.StructType.of() : nested.asStructType();
  }

  @Override
  public BatchReader open(BufferAllocator allocator, int batchRows) {
    return new RowsHostTable(name, schema, this::matching).open(allocator, batchRows);
  }

  private CloseableIterable<StructLike> matching() {
    return CloseableIterable.filter(rows.apply(filter), filter::mayMatch);
  }
}
