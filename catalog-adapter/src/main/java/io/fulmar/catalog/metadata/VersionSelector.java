package io.fulmar.catalog.metadata;

/** Which version of a table a reference means (rule R70). */
public sealed interface VersionSelector {
  /** The current snapshot of the main branch. */
  record Current() implements VersionSelector {}

  /** A snapshot by its id, read with its own schema. */
  record SnapshotId(long id) implements VersionSelector {}

  /**
   * A branch (read with the table's current schema) or a tag (read with its snapshot's schema);
   * where neither has the name, a snapshot whose id it is.
   */
  record Ref(String name) implements VersionSelector {}

  /** A branch, or a tag, and nothing else. */
  record TypedRef(RefKind kind, String name) implements VersionSelector {}

  /** What a ref is. */
  enum RefKind {
    BRANCH,
    TAG
  }

  /**
   * The snapshot that was current at a time, by the snapshot log; microseconds since the epoch,
   * UTC.
   */
  record AsOf(long timestampMicros) implements VersionSelector {}
}
