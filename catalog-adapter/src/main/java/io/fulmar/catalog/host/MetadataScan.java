package io.fulmar.catalog.host;

import io.fulmar.catalog.metadata.TableSnapshot;
import java.util.List;
import java.util.Locale;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.MetadataTableType;
import org.apache.iceberg.MetadataTableUtils;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StaticTableOperations;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableScan;
import org.apache.iceberg.io.CloseableIterable;

/**
 * Iceberg's own scan of one of its metadata tables, over a pinned table and its mapped FileIO. It
 * is given no filter, as its pruning of metadata has been wrong (C133); rows come manifest by
 * manifest.
 */
final class MetadataScan {
  private final TableSnapshot table;
  private final MetadataTableType type;

  MetadataScan(TableSnapshot table, MetadataTableType type) {
    this.table = table;
    this.type = type;
  }

  /** The data table as Iceberg knows it. */
  static Table baseTable(TableSnapshot table) {
    return new BaseTable(
        new StaticTableOperations(table.metadata(), table.io()), table.displayName());
  }

  String name() {
    return table.displayName() + "$" + type.name().toLowerCase(Locale.ROOT);
  }

  Schema schema() {
    return metadataTable().schema();
  }

  /** All columns. */
  CloseableIterable<StructLike> rows() {
    return rows(List.of());
  }

  /**
   * Rows of some columns, or of all if none is named; a row is valid until the next is asked for.
   *
   * @param columns of the schema, in its order
   */
  CloseableIterable<StructLike> rows(List<String> columns) {
    if (isAboutOneSnapshot() && table.snapshot().isEmpty()) {
      return CloseableIterable.empty();
    }

    return GuardedRows.of(name(), () -> CloseableIterable.concat(tasks(scan(columns))));
  }

  private TableScan scan(List<String> columns) {
    TableScan scan = metadataTable().newScan();
    TableScan narrowed = columns.isEmpty() ? scan : scan.select(columns);
    return isAboutOneSnapshot()
        ? narrowed.useSnapshot(table.snapshot().orElseThrow().snapshotId())
        : narrowed;
  }

  private static CloseableIterable<CloseableIterable<StructLike>> tasks(TableScan scan) {
    return CloseableIterable.transform(scan.planFiles(), task -> task.asDataTask().rows());
  }

  private Table metadataTable() {
    return MetadataTableUtils.createMetadataTableInstance(baseTable(table), type);
  }

  private boolean isAboutOneSnapshot() {
    return switch (type) {
      case ENTRIES, FILES, DATA_FILES, DELETE_FILES, MANIFESTS, PARTITIONS, POSITION_DELETES ->
          true;
      default -> false;
    };
  }
}
