package io.fulmar.catalog.scan.deletes;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.scan.DeleteFileRef;
import io.fulmar.catalog.scan.DeleteGroup;
import io.fulmar.catalog.scan.prune.ColumnStatistics;
import io.fulmar.catalog.scan.prune.ValueSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** All live deletes of a snapshot that a scan may need. Not safe for use by several threads. */
public final class DeleteIndex {
  private static final int UNKNOWN_SCOPE = -1;

  private final DeleteFileStore store;
  private final Map<PartitionKey, Integer> scopes;
  private final List<DeleteGroup> groups;
  private final List<ColumnStatistics> keyColumns;
  private final List<EqualityGroup> global;
  private final Map<Integer, List<EqualityGroup>> equality;
  private final NamedDeletes named;
  private final Map<Integer, PositionScope> positions;

  DeleteIndex(
      DeleteFileStore store,
      Map<PartitionKey, Integer> scopes,
      List<DeleteGroup> groups,
      List<ColumnStatistics> keyColumns,
      List<EqualityGroup> global,
      Map<Integer, List<EqualityGroup>> equality,
      NamedDeletes named,
      Map<Integer, PositionScope> positions) {
    this.store = store;
    this.scopes = scopes;
    this.groups = List.copyOf(groups);
    this.keyColumns = List.copyOf(keyColumns);
    this.global = List.copyOf(global);
    this.equality = equality;
    this.named = named;
    this.positions = positions;
  }

  /** In the order of their ids. */
  public List<DeleteFileRef> files() {
    return store.view();
  }

  /** In the order of their ids. */
  public List<DeleteGroup> groups() {
    return groups;
  }

  /** Keys of equality deletes whose statistics narrow down what applies. */
  public List<ColumnStatistics> keyColumns() {
    return keyColumns;
  }

  /**
   * The deletes that apply to a data file (rules R10 to R13).
   *
   * @param keys what is known of the file's {@link #keyColumns()}, in order; empty: nothing
   * @throws FulmarException INVALID_METADATA for a delete that names the file and does not fit it
   */
  public FileDeletes find(
      String path, long dataSequence, PartitionKey partition, List<ValueSummary> keys) {
    int scope = scopes.getOrDefault(partition, UNKNOWN_SCOPE);
    List<Integer> applied = new ArrayList<>();
    collect(global, dataSequence, keys, applied);
    collect(equality.getOrDefault(scope, List.of()), dataSequence, keys, applied);

    OptionalInt vector = named.vector(path);
    if (vector.isPresent()) {
      checkFits(vector.getAsInt(), path, scope);
      checkNotOlder(vector.getAsInt(), path, dataSequence);
      return new FileDeletes(vector, List.of(), applied);
    }
    return new FileDeletes(
        OptionalInt.empty(), positionDeletes(path, dataSequence, scope), applied);
  }

  private List<Integer> positionDeletes(String path, long dataSequence, int scope) {
    PositionScope shared = positions.get(scope);
    List<Integer> found = shared == null ? List.of() : shared.find(path, dataSequence);
    if (!named.hasPositionDeletes()) {
      return found;
    }

    List<Integer> all = new ArrayList<>(found);
    named.forEachPositionDelete(
        path,
        (id, exact) -> {
          if (store.sequence(id) < dataSequence) {
            return;
          }
          if (exact) {
            checkFits(id, path, scope);
          }
          if (store.scope(id) == scope) {
            all.add(id);
          }
        });
    all.sort(Integer::compare);
    return all;
  }

  private static void collect(
      List<EqualityGroup> candidates,
      long dataSequence,
      List<ValueSummary> keys,
      List<Integer> applied) {
    for (EqualityGroup group : candidates) {
      if (group.mayApply(dataSequence, keys)) {
        applied.add(group.number());
      }
    }
  }

  private void checkFits(int id, String path, int scope) {
    if (store.scope(id) != scope) {
      throw new FulmarException(
          ErrorCode.INVALID_METADATA,
          "The delete file %s names the data file %s but has another spec or partition"
              .formatted(store.path(id), path));
    }
  }

  private void checkNotOlder(int id, String path, long dataSequence) {
    if (store.sequence(id) < dataSequence) {
      throw new FulmarException(
          ErrorCode.INVALID_METADATA,
          "The deletion vector in %s (sequence %d) is older than its data file %s (%d)"
              .formatted(store.path(id), store.sequence(id), path, dataSequence));
    }
  }
}
