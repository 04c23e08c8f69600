package io.fulmar.catalog.registry;

import static java.util.Objects.requireNonNull;

import java.util.Map;

/**
 * One configured catalog.
 *
 * @param name the catalog's SQL name
 * @param type {@code jdbc}, {@code rest}, {@code hadoop}, {@code in-memory}, or a class name of an
 *     Iceberg catalog
 * @param properties passed to Iceberg as they are
 * @param pathMapping prefix of a path in metadata → prefix of the address of its bytes; the longest
 *     prefix wins
 */
public record CatalogSettings(
    String name, String type, Map<String, String> properties, Map<String, String> pathMapping) {
  public CatalogSettings {
    requireNonNull(name, "name is null");
    requireNonNull(type, "type is null");
    properties = Map.copyOf(properties);
    pathMapping = Map.copyOf(pathMapping);
  }
}
