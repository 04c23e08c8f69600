package io.fulmar.planner.name;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.registry.IcebergCatalog;
import org.apache.iceberg.catalog.Namespace;

/** A schema of a catalog. */
public record SchemaName(IcebergCatalog catalog, Namespace namespace) {
  public SchemaName {
    requireNonNull(catalog, "catalog is null");
    requireNonNull(namespace, "namespace is null");
  }
}
