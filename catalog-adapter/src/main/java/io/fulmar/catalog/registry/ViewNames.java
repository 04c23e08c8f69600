package io.fulmar.catalog.registry;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.catalog.ViewCatalog;
import org.apache.iceberg.rest.RESTCatalog;
import org.apache.iceberg.view.View;
import org.apache.iceberg.view.ViewBuilder;
import org.apache.iceberg.view.ViewProperties;

/** The views of one catalog, if it has any. */
final class ViewNames {
  private final String catalogName;
  private final Catalog catalog;
  private final MetadataFiles files;

  ViewNames(String catalogName, Catalog catalog, MetadataFiles files) {
    this.catalogName = catalogName;
    this.catalog = catalog;
    this.files = files;
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

  Optional<LoadedView> find(TableIdentifier identifier) {
    if (!(catalog instanceof ViewCatalog views)) {
      return Optional.empty();
    }

    try {
      View view = files.explainView(() -> MetadataReads.once(() -> views.loadView(identifier)));
      return Optional.of(LoadedView.of(catalogName, identifier, view));
    } catch (UnsupportedOperationException e) {
      return Optional.empty();
    } catch (RuntimeException e) {
      if (CatalogErrors.isMissing(e)) {
        return Optional.empty();
      }
      throw CatalogErrors.of("Cannot load the view " + show(identifier), e);
    }
  }

  /** A replaced view loses its texts of other dialects: they say what the view no longer is. */
  void create(TableIdentifier identifier, ViewDefinition definition, ViewDefinition.IfExists mode) {
    attempt(
        "Cannot create the view " + show(identifier),
        () -> {
          ViewBuilder builder =
              supported()
                  .buildView(identifier)
                  .withSchema(definition.schema())
                  .withQuery(ViewDefinition.DIALECT, definition.sql())
                  .withDefaultCatalog(definition.defaultCatalog())
                  .withDefaultNamespace(definition.defaultNamespace());
          definition.comment().ifPresent(text -> builder.withProperty("comment", text));
          return mode == ViewDefinition.IfExists.FAIL
              ? builder.create()
              : builder
                  .withProperty(ViewProperties.REPLACE_DROP_DIALECT_ALLOWED, "true")
                  .createOrReplace();
        });
  }

  boolean drop(TableIdentifier identifier) {
    return attempt(
        "Cannot drop the view " + show(identifier), () -> supported().dropView(identifier));
  }

  void register(TableIdentifier identifier, String metadataLocation) {
    if (!(catalog instanceof RESTCatalog)) {
      files.readView(metadataLocation);
    }
    attempt(
        "Cannot register the view " + show(identifier),
        () -> supported().registerView(identifier, metadataLocation));
  }

  private ViewCatalog supported() {
    if (catalog instanceof ViewCatalog views) {
      return views;
    }
    throw new FulmarException(
        ErrorCode.CATALOG_FAILED, "The catalog " + catalogName + " has no views");
  }

  private <T> T attempt(String what, Supplier<T> action) {
    try {
      return action.get();
    } catch (RuntimeException e) {
      throw CatalogErrors.of(what, e);
    }
  }

  private String show(TableIdentifier identifier) {
    return catalogName + "." + identifier;
  }
}
