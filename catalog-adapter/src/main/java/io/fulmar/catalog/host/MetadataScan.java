package io.fulmar.catalog.host;

import io.fulmar.catalog.metadata.SnapshotManifests;
import io.fulmar.catalog.metadata.TableSnapshot;
import io.fulmar.catalog.scan.prune.RecordFilter;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.ManifestContent;
import org.apache.iceberg.ManifestFile;
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
 * is given no filter, as its pruning of metadata has been wrong (C133); manifests are skipped by
 * our own rules, and rows come manifest by manifest.
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

  /**
   * All columns; a row is valid until the next is asked for.
   *
   * @param filter manifests of the pinned snapshot that it does not match are not read
   */
  CloseableIterable<StructLike> rows(RecordFilter filter) {
    if (isAboutOneSnapshot() && table.snapshot().isEmpty()) {
      return CloseableIterable.empty();
    }

    return GuardedRows.of(name(), () -> CloseableIterable.concat(tasks(filter)));
  }

  private TableScan scan() {
    TableScan scan = metadataTable().newScan();
    return isAboutOneSnapshot()
        ? scan.useSnapshot(table.snapshot().orElseThrow().snapshotId())
        : scan;
  }

  private CloseableIterable<CloseableIterable<StructLike>> tasks(RecordFilter filter) {
    Set<String> skipped = showsFiles() && !filter.acceptsAll() ? skipped(filter) : Set.of();
    return CloseableIterable.transform(
        CloseableIterable.filter(
            scan().planFiles(), task -> !skipped.contains(task.file().location())),
        task -> task.asDataTask().rows());
  }

  /** Paths of the manifests without a matching row: a task's file is its manifest. */
  private Set<String> skipped(RecordFilter filter) {
    Set<String> skipped = new HashSet<>();
    for (ManifestFile manifest : SnapshotManifests.read(table).all()) {
      if (!filter.mayMatch(table.metadata(), manifest, known(manifest))) {
        skipped.add(manifest.path());
      }
    }
    return skipped;
  }

  private static Map<Integer, List<Object>> known(ManifestFile manifest) {
    List<Object> contents =
        manifest.content() == ManifestContent.DATA
            ? List.of(FileContent.DATA.id())
            : List.of(FileContent.POSITION_DELETES.id(), FileContent.EQUALITY_DELETES.id());
    return Map.of(
        DataFile.CONTENT.fieldId(),
        contents,
        DataFile.SPEC_ID.fieldId(),
        List.of(manifest.partitionSpecId()));
  }

  private boolean showsFiles() {
    return switch (type) {
      case ENTRIES, FILES, DATA_FILES, DELETE_FILES -> true;
      default -> false;
    };
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
