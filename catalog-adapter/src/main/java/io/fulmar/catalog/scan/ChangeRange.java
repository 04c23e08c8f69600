package io.fulmar.catalog.scan;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.metadata.TableSnapshot;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.DataOperations;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;

/**
 * The commits between two snapshots of one line of history, oldest first. Commits that only rewrite
 * rows ({@code replace}) change nothing and are left out.
 */
public record ChangeRange(List<Commit> commits) {
  public ChangeRange {
    commits = List.copyOf(commits);
  }

  /**
   * One commit.
   *
   * @param ordinal from 0
   * @param before the snapshot's parent; absent for the first of the table
   */
  public record Commit(int ordinal, Optional<Snapshot> before, Snapshot after) {
    public Commit {
      requireNonNull(before, "before is null");
      requireNonNull(after, "after is null");
    }
  }

  /** Which files of the commits' snapshots a scan reads. */
  public enum Part {
    /** Files that a commit added, as after it, and files that it removed, as before it. */
    FILES,
    /** Files that stayed and that added deletes may concern, as before the commit. */
    DELETED_BEFORE,
    /** The same files as after the commit. */
    DELETED_AFTER,
    /** Files that stayed and that removed deletes may have concerned, as before the commit. */
    RESTORED_BEFORE,
    /** The same files as after the commit. */
    RESTORED_AFTER
  }

  /**
   * The commits after one snapshot up to another.
   *
   * @param from exclusive; absent: from the first snapshot of the table
   * @param to inclusive
   * @throws FulmarException UNKNOWN_SNAPSHOT where one is unknown, or {@code from} is no ancestor
   *     of {@code to} as far as the metadata tells
   */
  public static ChangeRange of(TableSnapshot table, Optional<Long> from, long to) {
    TableMetadata metadata = table.metadata();
    from.ifPresent(id -> snapshot(table, id));
    List<Snapshot> found = new ArrayList<>();
    Optional<Long> next = Optional.of(to);
    while (next.isPresent() && !next.equals(from)) {
      Snapshot current = snapshot(table, next.get());
      found.add(current);
      next = Optional.ofNullable(current.parentId());
    }
    if (from.isPresent() && next.isEmpty()) {
      throw new FulmarException(
          ErrorCode.UNKNOWN_SNAPSHOT,
          "Snapshot %d of %s is no ancestor of %d".formatted(from.get(), table.displayName(), to));
    }
    Collections.reverse(found);
    List<Commit> commits = new ArrayList<>();
    for (Snapshot snapshot : found) {
      if (!DataOperations.REPLACE.equals(snapshot.operation())) {
        Optional<Snapshot> before =
            Optional.ofNullable(snapshot.parentId()).map(metadata::snapshot);
        commits.add(new Commit(commits.size(), before, snapshot));
      }
    }
    return new ChangeRange(commits);
  }

  private static Snapshot snapshot(TableSnapshot table, long id) {
    Snapshot snapshot = table.metadata().snapshot(id);
    if (snapshot == null) {
      throw new FulmarException(
          ErrorCode.UNKNOWN_SNAPSHOT,
          "The table " + table.displayName() + " has no snapshot " + id);
    }
    if (snapshot.keyId() != null) {
      throw new FulmarException(
          ErrorCode.UNSUPPORTED_TABLE,
          "Snapshot " + id + " of " + table.displayName() + " is encrypted");
    }
    return snapshot;
  }
}
