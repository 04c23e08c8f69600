package io.fulmar.catalog.metadata;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.io.FileIO;

/**
 * One table pinned to one snapshot: what a statement reads, immutable.
 *
 * @param catalog the catalog's SQL name
 * @param identifier namespace and name as the catalog spells them
 * @param metadata the metadata file's content
 * @param io reads metadata paths, mapped
 * @param location maps a path of the metadata to the address of its bytes
 * @param snapshot absent for a table without one, which has no rows
 * @param schema the columns that SQL sees (rule R70)
 * @param storage FileIO properties for readers outside Java, vended credentials included
 */
public record TableSnapshot(
    String catalog,
    TableIdentifier identifier,
    TableMetadata metadata,
    FileIO io,
    LocationMapper location,
    Optional<Snapshot> snapshot,
    Schema schema,
    Map<String, String> storage) {
  public TableSnapshot {
    requireNonNull(catalog, "catalog is null");
    requireNonNull(identifier, "identifier is null");
    requireNonNull(metadata, "metadata is null");
    requireNonNull(io, "io is null");
    requireNonNull(location, "location is null");
    requireNonNull(snapshot, "snapshot is null");
    requireNonNull(schema, "schema is null");
    storage = Map.copyOf(storage);
  }

  /** The same table and columns at another snapshot. */
  public TableSnapshot at(Optional<Snapshot> other) {
    return new TableSnapshot(catalog, identifier, metadata, io, location, other, schema, storage);
  }

  /** {@code catalog.namespace.table} for people. */
  public String displayName() {
    return catalog + "." + identifier;
  }
}
