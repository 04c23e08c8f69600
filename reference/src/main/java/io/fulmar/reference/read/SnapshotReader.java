package io.fulmar.reference.read;

import io.fulmar.catalog.host.BatchReader;
import io.fulmar.catalog.host.HostRow;
import io.fulmar.catalog.host.RowsHostTable;
import io.fulmar.planner.backend.ReadBackend;
import io.fulmar.planner.backend.TableRead;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.CloseableIterator;

/** Reads snapshots file by file, in Java alone. Safe for use by several threads. */
public final class SnapshotReader implements ReadBackend {
  private final long rowLimit;

  /**
   * @param rowLimit rows, and keys of deletes, that one read may hold in memory
   */
  public SnapshotReader(long rowLimit) {
    this.rowLimit = rowLimit;
  }

  @Override
  public BatchReader read(TableRead read, BufferAllocator allocator) {
    ReadColumns columns = ReadColumns.of(read);
    return new RowsHostTable(
            read.table().displayName(),
            columns.schema(),
            () -> rows(new LiveRows(read.table(), columns, new RowBudget(rowLimit))))
        .open(allocator, read.batchRows());
  }

  private static CloseableIterable<HostRow> rows(LiveRows rows) {
    return CloseableIterable.combine(
        () ->
            new CloseableIterator<>() {
              @Override
              public boolean hasNext() {
                return rows.hasNext();
              }

              @Override
              public HostRow next() {
                return HostRow.of(rows.next());
              }

              @Override
              public void close() {
                rows.close();
              }
            },
        rows::close);
  }
}
