package io.fulmar.catalog.host;

import io.fulmar.catalog.metadata.TableSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Partitioning;
import org.apache.iceberg.PositionDeletesTable;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.formats.FormatModelRegistry;
import org.apache.iceberg.formats.ReadBuilder;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.PartitionUtil;

/**
 * The rows of {@code position_deletes}: every position in a live position-delete file or deletion
 * vector of the pinned snapshot. One delete file is open at a time.
 */
final class PositionDeleteRows {
  private static final Schema POSITIONS =
      new Schema(MetadataColumns.DELETE_FILE_PATH, MetadataColumns.DELETE_FILE_POS);

  private final TableSnapshot table;
  private final Schema schema;

  /**
   * @param full Iceberg's schema of the table
   */
  PositionDeleteRows(TableSnapshot table, Schema full) {
    this.table = table;
    this.schema =
        new Schema(
            full.columns().stream()
                .filter(field -> field.fieldId() != MetadataColumns.DELETE_FILE_ROW_FIELD_ID)
                .toList());
  }

  Schema schema() {
    return schema;
  }

  CloseableIterable<StructLike> open() {
    String name = table.displayName() + "$position_deletes";
    return GuardedRows.of(name, () -> CloseableIterable.concat(files()));
  }

  private CloseableIterable<CloseableIterable<StructLike>> files() {
    List<ManifestFile> manifests =
        table.snapshot().map(snapshot -> snapshot.deleteManifests(table.io())).orElse(List.of());
    CloseableIterable<DeleteFile> files =
        CloseableIterable.concat(
            CloseableIterable.transform(
                CloseableIterable.withNoopClose(manifests), this::deleteFiles));
    return CloseableIterable.transform(files, this::rows);
  }

  private CloseableIterable<DeleteFile> deleteFiles(ManifestFile manifest) {
    Map<Integer, PartitionSpec> specs = table.metadata().specsById();
    return CloseableIterable.filter(
        ManifestFiles.readDeleteManifest(manifest, table.io(), specs),
        file -> file.content() == FileContent.POSITION_DELETES);
  }

  private CloseableIterable<StructLike> rows(DeleteFile file) {
    List<Object> tail = tail(file);
    return file.format() == FileFormat.PUFFIN
        ? CloseableIterable.transform(
            DeletionVectorPositions.of(table.io(), file),
            position -> row(file.referencedDataFile(), position, tail))
        : CloseableIterable.transform(positions(file), row -> row(row.get(0), row.get(1), tail));
  }

  private CloseableIterable<Record> positions(DeleteFile file) {
    ReadBuilder<Record, ?> builder =
        FormatModelRegistry.readBuilder(file.format(), Record.class, table.io().newInputFile(file));
    return builder.project(POSITIONS).build();
  }

  private static StructLike row(Object path, Object position, List<Object> tail) {
    List<Object> values = new ArrayList<>(tail.size() + 2);
    values.add(path);
    values.add(position);
    values.addAll(tail);
    return HostRow.of(values.toArray());
  }

  /** What all rows of a file share: the columns behind the position. */
  private List<Object> tail(DeleteFile file) {
    List<Object> values = new ArrayList<>();
    for (Types.NestedField field : schema.columns().subList(2, schema.columns().size())) {
      values.add(
          switch (field.name()) {
            case PositionDeletesTable.PARTITION -> partition(file, field.type().asStructType());
            case PositionDeletesTable.SPEC_ID -> file.specId();
            case PositionDeletesTable.DELETE_FILE_PATH -> file.location();
            case PositionDeletesTable.CONTENT_OFFSET -> file.contentOffset();
            case PositionDeletesTable.CONTENT_SIZE_IN_BYTES -> file.contentSizeInBytes();
            default -> throw new IllegalStateException("Unknown column " + field);
          });
    }
    return values;
  }

  /** The columns' ids were changed to be unique, so the tuple is matched by the specs' own. */
  private StructLike partition(DeleteFile file, Types.StructType renumbered) {
    Types.StructType type = Partitioning.partitionType(MetadataScan.baseTable(table));
    PartitionSpec spec = table.metadata().specsById().get(file.specId());
    StructLike tuple = PartitionUtil.coercePartition(type, spec, file.partition());
    Object[] values = new Object[renumbered.fields().size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = tuple.get(i, Object.class);
    }
    return HostRow.of(values);
  }
}
