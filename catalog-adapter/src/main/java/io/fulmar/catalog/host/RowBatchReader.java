package io.fulmar.catalog.host;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.CloseableIterator;
import org.apache.iceberg.types.TypeUtil;

/** Pulls Java rows into Arrow batches, in SQL's form. */
final class RowBatchReader implements BatchReader {
  /** Bounds a batch of rows with thousands of columns, as tables of file metrics have. */
  private static final int LEAVES_PER_BATCH = 64 * 1024;

  private static final int MIN_ROWS = 16;
  private static final int INITIAL_CAPACITY = 32;

  private final String name;
  private final CloseableIterable<? extends StructLike> rows;
  private final CloseableIterator<? extends StructLike> iterator;
  private final VectorSchemaRoot root;
  private final List<ColumnWriter> writers;
  private final int batchRows;

  RowBatchReader(
      String name,
      Schema schema,
      CloseableIterable<? extends StructLike> rows,
      BufferAllocator allocator,
      int batchRows) {
    this.name = name;
    this.rows = rows;
    this.root = VectorSchemaRoot.create(ArrowFields.schema(schema, ArrowForm.SQL), allocator);
    this.writers = ArrowColumnWriters.of(schema, ArrowForm.SQL, root);
    int leaves = Math.max(1, TypeUtil.indexById(schema.asStruct()).size());
    this.batchRows = Math.min(batchRows, Math.max(MIN_ROWS, LEAVES_PER_BATCH / leaves));
    this.iterator = rows.iterator();
  }

  @Override
  public VectorSchemaRoot root() {
    return root;
  }

  @Override
  public boolean next() {
    allocate();
    int count = 0;
    try {
      while (count < batchRows && iterator.hasNext()) {
        write(count++, iterator.next());
      }
    } catch (OutOfMemoryException e) {
      throw new FulmarException(
          ErrorCode.MEMORY_LIMIT_EXCEEDED, "No memory for a batch of " + name, e);
    }

    root.setRowCount(count);
    return count > 0;
  }

  /** New buffers, as an exported batch may still be in use. */
  private void allocate() {
    for (FieldVector vector : root.getFieldVectors()) {
      vector.clear();
      vector.setInitialCapacity(Math.min(batchRows, INITIAL_CAPACITY));
      vector.allocateNew();
    }
  }

  private void write(int index, StructLike row) {
    for (int column = 0; column < writers.size(); column++) {
      writers.get(column).write(index, row.get(column, Object.class));
    }
  }

  @Override
  public void close() {
    root.close();
    try {
      iterator.close();
      rows.close();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot close " + name, e);
    }
  }
}
