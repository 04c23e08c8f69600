package io.fulmar.catalog.host;

import io.fulmar.catalog.metadata.TableSnapshot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.MetadataTableType;
import org.apache.iceberg.Partitioning;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.StructLikeMap;

/**
 * The rows of {@code partitions}: one for each partition spec and tuple with a live file. Iceberg's
 * own table adds up the NULL tuples of different specs (C134).
 */
final class PartitionRows {
  private static final int DELETED = 2;

  private PartitionRows() {}

  static CloseableIterable<StructLike> of(TableSnapshot table) {
    Table base = MetadataScan.baseTable(table);
    Types.StructType partitionType = Partitioning.partitionType(base);
    return partitionType.fields().isEmpty()
        ? unpartitioned(table, base)
        : partitioned(table, base, partitionType);
  }

  private static CloseableIterable<StructLike> unpartitioned(TableSnapshot table, Table base) {
    PartitionTotals totals = new PartitionTotals();
    forEachEntry(
        table,
        List.of("content", "record_count", "file_size_in_bytes"),
        (snapshotId, file) ->
            totals.add(
                file.get(0, Integer.class),
                file.get(1, Long.class),
                file.get(2, Long.class),
                Optional.ofNullable(base.snapshot(snapshotId))));
    return CloseableIterable.withNoopClose(
        totals.isEmpty() ? List.of() : List.of(totals.row(List.of())));
  }

  private static CloseableIterable<StructLike> partitioned(
      TableSnapshot table, Table base, Types.StructType partitionType) {
    // The spec id stands beside the tuple in the key, as one of its fields.
    Types.StructType keyType =
        Types.StructType.of(
            Types.NestedField.required(0, "spec_id", Types.IntegerType.get()),
            Types.NestedField.required(1, "partition", partitionType));
    StructLikeMap<PartitionTotals> partitions = StructLikeMap.create(keyType);
    forEachEntry(
        table,
        List.of("content", "spec_id", "partition", "record_count", "file_size_in_bytes"),
        (snapshotId, file) -> {
          StructLike tuple = copy(file.get(2, StructLike.class), partitionType.fields().size());
          partitions
              .computeIfAbsent(HostRow.of(file.get(1, Integer.class), tuple), PartitionTotals::new)
              .add(
                  file.get(0, Integer.class),
                  file.get(3, Long.class),
                  file.get(4, Long.class),
                  Optional.ofNullable(base.snapshot(snapshotId)));
        });

    List<StructLike> rows = new ArrayList<>();
    partitions.forEach(
        (key, totals) ->
            rows.add(totals.row(List.of(key.get(1, StructLike.class), key.get(0, Integer.class)))));
    return CloseableIterable.withNoopClose(rows);
  }

  private static StructLike copy(StructLike tuple, int size) {
    Object[] values = new Object[size];
    for (int i = 0; i < size; i++) {
      values[i] = tuple.get(i, Object.class);
    }
    return HostRow.of(values);
  }

  private static void forEachEntry(TableSnapshot table, List<String> columns, Entry consumer) {
    List<String> selected = new ArrayList<>(List.of("status", "snapshot_id"));
    columns.forEach(column -> selected.add("data_file." + column));
    MetadataScan entries = new MetadataScan(table, MetadataTableType.ENTRIES);
    try (CloseableIterable<StructLike> rows = entries.rows(selected)) {
      for (StructLike entry : rows) {
        if (entry.get(0, Integer.class) != DELETED) {
          consumer.accept(entry.get(1, Long.class), entry.get(2, StructLike.class));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot close " + entries.name(), e);
    }
  }

  /** Takes a live manifest entry. */
  @FunctionalInterface
  private interface Entry {
    /**
     * @param file the wanted columns of {@code data_file}, in the order of Iceberg's schema
     */
    void accept(long snapshotId, StructLike file);
  }
}
