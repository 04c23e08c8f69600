package io.fulmar.catalog.registry;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.metadata.LocationMapper;
import java.util.Map;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.io.FileIO;

/**
 * A table as its catalog has it now.
 *
 * @param catalog the catalog's SQL name
 * @param identifier as the catalog spells it
 * @param io reads metadata paths, mapped
 * @param location maps a path of the metadata to the address of its bytes
 * @param storage properties for readers outside Java, vended credentials included
 */
public record LoadedTable(
    String catalog,
    TableIdentifier identifier,
    TableMetadata metadata,
    FileIO io,
    LocationMapper location,
    Map<String, String> storage) {
  public LoadedTable {
    requireNonNull(catalog, "catalog is null");
    requireNonNull(identifier, "identifier is null");
    requireNonNull(metadata, "metadata is null");
    requireNonNull(io, "io is null");
    requireNonNull(location, "location is null");
    storage = Map.copyOf(storage);
  }
}
