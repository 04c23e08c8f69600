package io.fulmar.catalog.registry;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.catalog.ViewCatalog;
import org.apache.iceberg.view.View;

/** The views of one catalog, if it has any. */
final class ViewNames {
  private final String catalogName;
  private final Catalog catalog;

  ViewNames(String catalogName, Catalog catalog) {
    this.catalogName = catalogName;
    this.catalog = catalog;
  }

  List<TableIdentifier> list(Namespace namespace) {
    if (!(catalog instanceof ViewCatalog views)) {
      return List.of();
    }

    try {
      return views.listViews(namespace).stream()
          .sorted(Comparator.comparing(TableIdentifier::name))
          .toList();
    } catch (UnsupportedOperationException e) {
      return List.of();
    } catch (RuntimeException e) {
      throw CatalogErrors.of("Cannot list the views of " + catalogName + "." + namespace, e);
    }
  }

  Optional<View> find(TableIdentifier identifier) {
    if (!(catalog instanceof ViewCatalog views)) {
      return Optional.empty();
    }

    try {
      return Optional.of(views.loadView(identifier));
    } catch (UnsupportedOperationException e) {
      return Optional.empty();
    } catch (RuntimeException e) {
      if (CatalogErrors.isMissing(e)) {
        return Optional.empty();
      }
      throw CatalogErrors.of("Cannot load the view " + catalogName + "." + identifier, e);
    }
  }
}
