package io.fulmar.catalog.scan.deletes;

import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.metadata.LocationMapper;
import io.fulmar.catalog.scan.DeleteGroup;
import io.fulmar.catalog.scan.prune.ColumnStatistics;
import io.fulmar.catalog.scan.prune.OrderedValue;
import io.fulmar.catalog.scan.prune.ValueSummary;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.FileFormat;

/** Collects delete entries in the order in which they are to be numbered. */
public final class DeleteIndexBuilder {
  private static final int GLOBAL = -1;

  private final DeleteEntryReader reader;
  private final DeleteFileStore store;
  private final NamedDeletes named;
  private final Map<PartitionKey, Integer> scopes = new HashMap<>();
  private final Map<Integer, PositionScope> positions = new HashMap<>();
  private final Map<GroupKey, EqualityGroup> groups = new LinkedHashMap<>();
  private final List<ColumnStatistics> keyColumns = new ArrayList<>();

  /**
   * @param reader that makes the entries
   */
  public DeleteIndexBuilder(LocationMapper location, DeleteEntryReader reader) {
    this.reader = reader;
    this.store = new DeleteFileStore(location);
    this.named = new NamedDeletes(store);
  }

  private record GroupKey(int scope, List<Integer> fieldIds) {}

  /**
   * Adds a live entry.
   *
   * @throws FulmarException INVALID_METADATA for a second deletion vector of a data file
   */
  public void add(DeleteEntry entry) {
    int scope = scopeOf(entry.partition());
    int id = store.add(entry, scope);
    if (entry.content() == FileContent.EQUALITY_DELETES) {
      addEquality(id, entry, scope);
    } else if (entry.format() == FileFormat.PUFFIN) {
      named.addVector(id, entry.referencedDataFile().orElseThrow());
    } else {
      addPositions(id, entry, scope);
    }
  }

  /** Ends the adding. */
  public DeleteIndex build() {
    positions.values().forEach(PositionScope::finish);
    List<DeleteGroup> numbered = new ArrayList<>();
    List<EqualityGroup> global = new ArrayList<>();
    Map<Integer, List<EqualityGroup>> scoped = new HashMap<>();
    groups.forEach(
        (key, group) -> {
          numbered.add(group.finish(numbered.size()));
          List<EqualityGroup> peers =
              key.scope == GLOBAL
                  ? global
                  : scoped.computeIfAbsent(key.scope, unused -> new ArrayList<>());
          peers.add(group);
        });
    return new DeleteIndex(store, scopes, numbered, keyColumns, global, scoped, named, positions);
  }

  private int scopeOf(PartitionKey partition) {
    Integer known = scopes.get(partition);
    if (known != null) {
      return known;
    }

    scopes.put(partition, scopes.size());
    return scopes.size() - 1;
  }

  private void addEquality(int id, DeleteEntry entry, int scope) {
    boolean global = entry.scope() == DeleteEntry.Scope.GLOBAL;
    GroupKey key = new GroupKey(global ? GLOBAL : scope, entry.equalityIds());
    groups
        .computeIfAbsent(key, unused -> newGroup(entry, global))
        .add(id, entry.dataSequenceNumber(), entry.keys());
  }

  private EqualityGroup newGroup(DeleteEntry entry, boolean global) {
    List<ColumnStatistics> usable =
        entry.keys().isEmpty() ? List.of() : reader.usable(entry.equalityIds());
    int[] numbers = usable.stream().mapToInt(this::numberOf).toArray();
    List<KeyColumn> columns = usable.stream().map(column -> new KeyColumn(column.type())).toList();
    String scope = global ? "global" : entry.partition().toString();
    return new EqualityGroup(entry.equalityIds(), scope, numbers, columns);
  }

  private int numberOf(ColumnStatistics column) {
    int known = keyColumns.indexOf(column);
    if (known >= 0) {
      return known;
    }

    keyColumns.add(column);
    return keyColumns.size() - 1;
  }

  private void addPositions(int id, DeleteEntry entry, int scope) {
    Optional<String> target = entry.referencedDataFile();
    if (target.isPresent()) {
      named.addNamed(id, target.get());
      return;
    }

    Optional<String> prefix = onlyPath(entry.paths());
    if (prefix.isEmpty() || !named.addPrefixed(id, prefix.get())) {
      positions
          .computeIfAbsent(scope, unused -> new PositionScope())
          .add(id, entry.dataSequenceNumber(), entry.paths());
    }
  }

  /**
   * The one path, or what all begin with, where the bounds are equal (rule R23). A bound that was
   * cut within a character is no text.
   */
  private static Optional<String> onlyPath(ValueSummary paths) {
    if (paths.lower().isEmpty() || !paths.lower().equals(paths.upper())) {
      return Optional.empty();
    }

    byte[] bytes = ((OrderedValue.Bytes) paths.lower().get()).value();
    String text = new String(bytes, StandardCharsets.UTF_8);
    return Arrays.equals(text.getBytes(StandardCharsets.UTF_8), bytes)
        ? Optional.of(text)
        : Optional.empty();
  }
}
