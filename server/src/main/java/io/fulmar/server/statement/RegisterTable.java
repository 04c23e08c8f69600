package io.fulmar.server.statement;

import io.fulmar.catalog.registry.CatalogRegistry;
import java.util.List;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;

/** {@code system.register_table}: makes an existing table known by its metadata file. */
final class RegisterTable {
  private static final String CATALOG = "catalog";
  private static final String NAMESPACE = "namespace";
  private static final String TABLE = "table";
  private static final String METADATA_LOCATION = "metadata_location";

  private RegisterTable() {}

  static Procedure procedure(CatalogRegistry catalogs) {
    return new Procedure(
        "system.register_table",
        List.of(
            Procedure.Parameter.text(CATALOG),
            Procedure.Parameter.text(NAMESPACE),
            Procedure.Parameter.text(TABLE),
            Procedure.Parameter.text(METADATA_LOCATION)),
        "Makes an existing table known by its metadata file.",
        arguments -> register(catalogs, arguments));
  }

  private static void register(CatalogRegistry catalogs, ProcedureArguments arguments) {
    Namespace namespace = Namespace.of(arguments.text(NAMESPACE).split("\\.", -1));
    catalogs
        .require(arguments.text(CATALOG))
        .registerTable(
            TableIdentifier.of(namespace, arguments.text(TABLE)),
            arguments.text(METADATA_LOCATION));
  }
}
