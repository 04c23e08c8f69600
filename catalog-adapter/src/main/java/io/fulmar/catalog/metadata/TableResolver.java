package io.fulmar.catalog.metadata;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.registry.CatalogRegistry;
import io.fulmar.catalog.registry.LoadedTable;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.apache.iceberg.HistoryEntry;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.catalog.TableIdentifier;

/**
 * Pins tables to snapshots (rules R03, R08, R70). Each call sees the table as it is now; a
 * statement that names a table twice resolves it once. Safe for use by several threads.
 */
public final class TableResolver {
  private final CatalogRegistry registry;

  public TableResolver(CatalogRegistry registry) {
    this.registry = requireNonNull(registry, "registry is null");
  }

  /**
   * Loads a table and pins it.
   *
   * @param catalog by the rule of {@link CatalogRegistry#find}
   * @param identifier exactly as the catalog spells it
   * @throws FulmarException UNKNOWN_CATALOG, UNKNOWN_TABLE, UNKNOWN_SNAPSHOT, or what loading gives
   */
  public TableSnapshot resolve(
      String catalog, TableIdentifier identifier, VersionSelector version) {
    return pin(registry.require(catalog).load(identifier), version);
  }

  /**
   * Pins a table that is loaded.
   *
   * @throws FulmarException UNKNOWN_SNAPSHOT, INVALID_METADATA, UNSUPPORTED_TABLE
   */
  public static TableSnapshot pin(LoadedTable table, VersionSelector version) {
    Pinned pinned = pinned(table, version);
    pinned.snapshot().ifPresent(snapshot -> refuseEncrypted(table, snapshot));
    return new TableSnapshot(
        table.catalog(),
        table.identifier(),
        table.metadata(),
        table.io(),
        table.location(),
        pinned.snapshot(),
        pinned.schema(),
        table.storage());
  }

  private record Pinned(Optional<Snapshot> snapshot, Schema schema) {}

  private static Pinned pinned(LoadedTable table, VersionSelector version) {
    if (version instanceof VersionSelector.SnapshotId wanted) {
      return withOwnSchema(table, snapshot(table, wanted.id()));
    }
    if (version instanceof VersionSelector.Ref wanted) {
      return ref(table, wanted.name());
    }
    if (version instanceof VersionSelector.TypedRef wanted) {
      return ref(table, wanted);
    }
    if (version instanceof VersionSelector.AsOf wanted) {
      return withOwnSchema(table, snapshot(table, loggedAt(table, wanted.timestampMicros())));
    }

    TableMetadata metadata = table.metadata();
    return new Pinned(Optional.ofNullable(metadata.currentSnapshot()), metadata.schema());
  }

  private static Pinned ref(LoadedTable table, String name) {
    TableMetadata metadata = table.metadata();
    SnapshotRef ref = metadata.ref(name);
    if (ref == null && name.equals(SnapshotRef.MAIN_BRANCH)) {
      return new Pinned(Optional.ofNullable(metadata.currentSnapshot()), metadata.schema());
    }
    if (ref == null) {
      return quotedId(table, name).orElseThrow(() -> unknownRef(table, "branch or tag", name));
    }

    Snapshot snapshot = snapshot(table, ref.snapshotId());
    return ref.isBranch()
        ? new Pinned(Optional.of(snapshot), metadata.schema())
        : withOwnSchema(table, snapshot);
  }

  /** Spark's users write snapshot ids in quotes, too. */
  private static Optional<Pinned> quotedId(LoadedTable table, String text) {
    try {
      return Optional.ofNullable(table.metadata().snapshot(Long.parseLong(text)))
          .map(snapshot -> withOwnSchema(table, snapshot));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  private static Pinned ref(LoadedTable table, VersionSelector.TypedRef wanted) {
    boolean branch = wanted.kind() == VersionSelector.RefKind.BRANCH;
    SnapshotRef ref = table.metadata().ref(wanted.name());
    boolean implicit = ref == null && branch && wanted.name().equals(SnapshotRef.MAIN_BRANCH);
    if (!implicit && (ref == null || ref.isBranch() != branch)) {
      throw unknownRef(table, branch ? "branch" : "tag", wanted.name());
    }
    return ref(table, wanted.name());
  }

  private static FulmarException unknownRef(LoadedTable table, String kind, String name) {
    return new FulmarException(
            ErrorCode.UNKNOWN_SNAPSHOT,
            "The table " + show(table) + " has no " + kind + " named " + name)
        .withHint("Known: " + String.join(", ", table.metadata().refs().keySet()));
  }

  private static Pinned withOwnSchema(LoadedTable table, Snapshot snapshot) {
    TableMetadata metadata = table.metadata();
    Integer schemaId = snapshot.schemaId();
    if (schemaId == null) {
      return new Pinned(Optional.of(snapshot), metadata.schema());
    }

    Schema schema = metadata.schemasById().get(schemaId);
    if (schema == null) {
      throw new FulmarException(
          ErrorCode.INVALID_METADATA,
          "Snapshot %d of %s names the schema %d, which the metadata lacks"
              .formatted(snapshot.snapshotId(), show(table), schemaId));
    }
    return new Pinned(Optional.of(snapshot), schema);
  }

  private static Snapshot snapshot(LoadedTable table, long id) {
    return Optional.ofNullable(table.metadata().snapshot(id))
        .orElseThrow(
            () ->
                new FulmarException(
                    ErrorCode.UNKNOWN_SNAPSHOT,
                    "The table " + show(table) + " has no snapshot " + id));
  }

  /** By time: the log may be out of order, and of two entries of one time the later stands. */
  private static long loggedAt(LoadedTable table, long micros) {
    Optional<HistoryEntry> found = Optional.empty();
    for (HistoryEntry entry : table.metadata().snapshotLog()) {
      boolean reached = Math.multiplyExact(entry.timestampMillis(), 1000L) <= micros;
      if (reached && found.stream().allMatch(best -> !isLater(best, entry))) {
        found = Optional.of(entry);
      }
    }

    return found
        .map(HistoryEntry::snapshotId)
        .or(() -> unloggedAt(table.metadata(), micros))
        .orElseThrow(() -> noneAt(table, micros));
  }

  private static boolean isLater(HistoryEntry entry, HistoryEntry than) {
    return entry.timestampMillis() > than.timestampMillis();
  }

  private static Optional<Long> unloggedAt(TableMetadata metadata, long micros) {
    return Optional.ofNullable(metadata.currentSnapshot())
        .filter(current -> metadata.snapshotLog().isEmpty())
        .filter(current -> Math.multiplyExact(current.timestampMillis(), 1000L) <= micros)
        .map(Snapshot::snapshotId);
  }

  private static FulmarException noneAt(LoadedTable table, long micros) {
    Instant instant = Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    FulmarException error =
        new FulmarException(
            ErrorCode.UNKNOWN_SNAPSHOT,
            "The table " + show(table) + " has no snapshot at " + instant);
    return table.metadata().snapshotLog().stream()
        .map(HistoryEntry::timestampMillis)
        .min(Long::compare)
        .map(first -> error.withHint("The oldest known is of " + Instant.ofEpochMilli(first)))
        .orElse(error);
  }

  private static void refuseEncrypted(LoadedTable table, Snapshot snapshot) {
    if (snapshot.keyId() != null) {
      throw new FulmarException(
          ErrorCode.UNSUPPORTED_TABLE,
          "Snapshot " + snapshot.snapshotId() + " of " + show(table) + " is encrypted");
    }
  }

  private static String show(LoadedTable table) {
    return table.catalog() + "." + table.identifier();
  }
}
