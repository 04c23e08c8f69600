package io.fulmar.reference.read;

import io.fulmar.catalog.metadata.TableSnapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;

/**
 * All equality deletes of a snapshot: for each set of ids and scope the latest sequence number of
 * each key. A row dies where its own is lower (rules R10, R15, R16).
 */
final class EqualityDeletes {
  private final List<Group> groups;

  private EqualityDeletes(List<Group> groups) {
    this.groups = groups;
  }

  /** A scope of nothing is global. */
  private record Group(
      KeyFields fields, Map<Optional<PartitionTuple>, Map<List<Object>, Long>> scopes) {}

  /**
   * Reads every equality delete file.
   *
   * @param budget counts the keys
   */
  static EqualityDeletes load(TableSnapshot table, List<DeleteFile> files, RowBudget budget) {
    Map<List<Integer>, Group> groups = new HashMap<>();
    for (DeleteFile file : files) {
      if (file.content() == FileContent.EQUALITY_DELETES) {
        KeyFields fields = KeyFields.of(table, file.location(), file.equalityFieldIds());
        Group group =
            groups.computeIfAbsent(fields.ids(), ids -> new Group(fields, new HashMap<>()));
        add(table, file, group, budget);
      }
    }
    return new EqualityDeletes(List.copyOf(groups.values()));
  }

  private static void add(TableSnapshot table, DeleteFile file, Group group, RowBudget budget) {
    boolean global = table.metadata().spec(file.specId()).isUnpartitioned();
    Map<List<Object>, Long> latest =
        group
            .scopes()
            .computeIfAbsent(
                global ? Optional.empty() : Optional.of(PartitionTuple.of(file)),
                scope -> new HashMap<>());
    long count = 0;
    try (FileRows rows = FileRows.open(FileSource.of(table, file), group.fields().columns())) {
      while (rows.hasNext()) {
        budget.hold(1);
        latest.merge(group.fields().key(rows.next(), 0), file.dataSequenceNumber(), Math::max);
        count++;
      }
    }
    FileRows.checkCount(file, count);
  }

  /** Those that can reach a data file. */
  List<Applied> of(DataFile file) {
    List<Applied> applied = new ArrayList<>();
    for (Group group : groups) {
      List<Map<List<Object>, Long>> keys = new ArrayList<>();
      Optional.ofNullable(group.scopes().get(Optional.<PartitionTuple>empty()))
          .ifPresent(keys::add);
      Optional.ofNullable(group.scopes().get(Optional.of(PartitionTuple.of(file))))
          .ifPresent(keys::add);
      if (!keys.isEmpty()) {
        applied.add(new Applied(group.fields(), keys, file.dataSequenceNumber()));
      }
    }
    return applied;
  }

  /** One set of ids over one data file. */
  record Applied(KeyFields fields, List<Map<List<Object>, Long>> keys, long sequence) {
    /**
     * Whether the row is deleted.
     *
     * @param start where the key's columns begin
     */
    boolean deletes(Object[] row, int start) {
      List<Object> key = fields.key(row, start);
      return keys.stream().anyMatch(latest -> latest.getOrDefault(key, sequence) > sequence);
    }
  }
}
