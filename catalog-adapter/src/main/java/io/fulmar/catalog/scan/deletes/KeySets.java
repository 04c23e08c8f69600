package io.fulmar.catalog.scan.deletes;

import io.fulmar.catalog.metadata.TableFields;
import io.fulmar.catalog.scan.prune.ColumnStatistics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.iceberg.TableMetadata;

/** The columns of equality-id sets whose statistics can be used. Safe for several threads. */
final class KeySets {
  private final TableMetadata metadata;
  private final Map<List<Integer>, List<ColumnStatistics>> known = new ConcurrentHashMap<>();

  KeySets(TableMetadata metadata) {
    this.metadata = metadata;
  }

  /** In the order of the ids; fields without usable statistics are left out. */
  List<ColumnStatistics> usable(List<Integer> equalityIds) {
    return known.computeIfAbsent(equalityIds, this::find);
  }

  /** The first id that no schema of the table has. */
  Optional<Integer> unknown(List<Integer> equalityIds) {
    return equalityIds.stream()
        .filter(id -> TableFields.schemaOf(metadata, id).isEmpty())
        .findFirst();
  }

  private List<ColumnStatistics> find(List<Integer> equalityIds) {
    return equalityIds.stream()
        .map(
            id ->
                TableFields.schemaOf(metadata, id)
                    .map(schema -> ColumnStatistics.of(id, schema, metadata)))
        .flatMap(Optional::stream)
        .filter(column -> KeyColumn.isUsable(column.type()))
        .toList();
  }
}
