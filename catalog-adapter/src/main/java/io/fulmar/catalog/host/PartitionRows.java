package io.fulmar.catalog.host;

import io.fulmar.catalog.metadata.EntryRows;
import io.fulmar.catalog.metadata.SnapshotManifests;
import io.fulmar.catalog.metadata.TableSnapshot;
import io.fulmar.catalog.scan.prune.RecordFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.StructLikeMap;

/**
 * The rows of {@code partitions}: one for each partition spec and tuple with a live file. Iceberg's
 * own table adds up tuples of different specs (C134), and those that differ in a field of a dropped
 * column only. Holds totals of partitions, never files.
 */
final class PartitionRows {
  private static final String PARTITION = "partition";
  private static final String SPEC_ID = "spec_id";

  /** Iceberg's ids in this table. */
  private static final int PARTITION_FIELD = 1;

  private static final int SPEC_FIELD = 4;

  private final TableSnapshot table;
  private final PartitionUnion union;
  private final Schema schema;

  /**
   * @param standard Iceberg's schema of the table
   */
  PartitionRows(TableSnapshot table, Schema standard) {
    this.table = table;
    this.union = PartitionUnion.of(table.metadata());
    this.schema = schema(standard, union.type());
  }

  Schema schema() {
    return schema;
  }

  private static Schema schema(Schema standard, Types.StructType partition) {
    List<Types.NestedField> fields = new ArrayList<>();
    if (!partition.fields().isEmpty()) {
      fields.add(Types.NestedField.required(PARTITION_FIELD, PARTITION, partition));
      fields.add(Types.NestedField.required(SPEC_FIELD, SPEC_ID, Types.IntegerType.get()));
    }
    standard.columns().stream()
        .filter(field -> !field.name().equals(PARTITION) && !field.name().equals(SPEC_ID))
        .forEach(fields::add);
    return new Schema(fields);
  }

  /**
   * @param filter partitions that it does not match may be left out, whole
   */
  CloseableIterable<StructLike> rows(RecordFilter filter) {
    Map<Integer, Map<StructLike, PartitionTotals>> bySpec = new TreeMap<>();
    SnapshotManifests manifests = SnapshotManifests.read(table);
    for (ManifestFile manifest : manifests.all()) {
      Map<Integer, List<Object>> known = Map.of(SPEC_FIELD, List.of(manifest.partitionSpecId()));
      if (filter.mayMatch(table.metadata(), manifest, known)) {
        add(manifest, bySpec);
      }
    }

    List<StructLike> rows = new ArrayList<>();
    bySpec.forEach(
        (spec, partitions) ->
            partitions.forEach((tuple, totals) -> rows.add(row(spec, tuple, totals))));
    return CloseableIterable.withNoopClose(rows);
  }

  private StructLike row(int specId, StructLike tuple, PartitionTotals totals) {
    return union.type().fields().isEmpty()
        ? totals.row(List.of())
        : totals.row(List.of(union.widened(specId, tuple), specId));
  }

  private void add(ManifestFile manifest, Map<Integer, Map<StructLike, PartitionTotals>> bySpec) {
    int specId = manifest.partitionSpecId();
    try (EntryRows entries = EntryRows.open(table, manifest)) {
      while (entries.hasNext()) {
        EntryRows.Entry entry = entries.next();
        if (entry.status() != EntryRows.Status.REMOVED) {
          bySpec
              .computeIfAbsent(specId, id -> StructLikeMap.create(union.type(id)))
              .computeIfAbsent(entry.partition(), tuple -> new PartitionTotals())
              .add(entry, snapshot(entry));
        }
      }
    }
  }

  private Optional<Snapshot> snapshot(EntryRows.Entry entry) {
    return entry.snapshotId().map(table.metadata()::snapshot);
  }
}
