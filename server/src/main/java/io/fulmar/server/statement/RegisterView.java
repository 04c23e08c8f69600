package io.fulmar.server.statement;

import io.fulmar.catalog.registry.CatalogRegistry;
import java.util.List;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;

/** {@code system.register_view}: makes an existing view known by its metadata file. */
final class RegisterView {
  private static final String CATALOG = "catalog";
  private static final String NAMESPACE = "namespace";
  private static final String VIEW = "view";
  private static final String METADATA_LOCATION = "metadata_location";

  private RegisterView() {}

  static Procedure procedure(CatalogRegistry catalogs) {
    return new Procedure(
        "system.register_view",
        List.of(
            Procedure.Parameter.text(CATALOG),
            Procedure.Parameter.text(NAMESPACE),
            Procedure.Parameter.text(VIEW),
            Procedure.Parameter.text(METADATA_LOCATION)),
        "Makes an existing view known by its metadata file.",
        arguments -> register(catalogs, arguments));
  }

  private static void register(CatalogRegistry catalogs, ProcedureArguments arguments) {
    Namespace namespace = Namespace.of(arguments.text(NAMESPACE).split("\\.", -1));
    catalogs
        .require(arguments.text(CATALOG))
        .registerView(
            TableIdentifier.of(namespace, arguments.text(VIEW)), arguments.text(METADATA_LOCATION));
  }
}
