package io.fulmar.server.statement;

import io.fulmar.catalog.registry.CatalogRegistry;
import io.fulmar.catalog.registry.IcebergCatalog;
import java.util.List;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;

/**
 * {@code system.register_table} and {@code system.register_view}: make an existing table or view
 * known by its metadata file.
 */
final class Registration {
  private static final String CATALOG = "catalog";
  private static final String NAMESPACE = "namespace";
  private static final String METADATA_LOCATION = "metadata_location";

  private Registration() {}

  static Procedure ofTables(CatalogRegistry catalogs) {
    return procedure("table", catalogs, IcebergCatalog::registerTable);
  }

  static Procedure ofViews(CatalogRegistry catalogs) {
    return procedure("view", catalogs, IcebergCatalog::registerView);
  }

  @FunctionalInterface
  private interface Action {
    void register(IcebergCatalog catalog, TableIdentifier identifier, String metadataLocation);
  }

  private static Procedure procedure(String kind, CatalogRegistry catalogs, Action action) {
    return new Procedure(
        "system.register_" + kind,
        List.of(
            Procedure.Parameter.text(CATALOG),
            Procedure.Parameter.text(NAMESPACE),
            Procedure.Parameter.text(kind),
            Procedure.Parameter.text(METADATA_LOCATION)),
        "Makes an existing " + kind + " known by its metadata file.",
        arguments -> {
          Namespace namespace = Namespace.of(arguments.text(NAMESPACE).split("\\.", -1));
          action.register(
              catalogs.require(arguments.text(CATALOG)),
              TableIdentifier.of(namespace, arguments.text(kind)),
              arguments.text(METADATA_LOCATION));
        });
  }
}
