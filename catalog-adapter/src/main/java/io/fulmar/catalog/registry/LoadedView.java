package io.fulmar.catalog.registry;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;
import org.apache.iceberg.Schema;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.view.SQLViewRepresentation;
import org.apache.iceberg.view.View;
import org.apache.iceberg.view.ViewVersion;

/**
 * A view as it is now: its current version.
 *
 * @param catalog the catalog's SQL name
 * @param identifier as the catalog spells it
 * @param schema the columns that the view promises
 * @param defaultCatalog in which unqualified names of its text are (rule R86)
 * @param defaultNamespace in which unqualified names of its text are
 * @param texts its query in each dialect, in the order of the metadata
 * @param comment of the view
 */
public record LoadedView(
    String catalog,
    TableIdentifier identifier,
    Schema schema,
    String defaultCatalog,
    Namespace defaultNamespace,
    List<Text> texts,
    Optional<String> comment) {
  public LoadedView {
    requireNonNull(catalog, "catalog is null");
    requireNonNull(identifier, "identifier is null");
    requireNonNull(schema, "schema is null");
    requireNonNull(defaultCatalog, "defaultCatalog is null");
    requireNonNull(defaultNamespace, "defaultNamespace is null");
    texts = List.copyOf(texts);
    requireNonNull(comment, "comment is null");
  }

  /** A query of one dialect. */
  public record Text(String dialect, String sql) {
    public Text {
      requireNonNull(dialect, "dialect is null");
      requireNonNull(sql, "sql is null");
    }
  }

  static LoadedView of(String catalog, TableIdentifier identifier, View view) {
    ViewVersion version = view.currentVersion();
    return new LoadedView(
        catalog,
        identifier,
        view.schemas().get(version.schemaId()),
        Optional.ofNullable(version.defaultCatalog()).orElse(catalog),
        version.defaultNamespace(),
        version.representations().stream()
            .filter(SQLViewRepresentation.class::isInstance)
            .map(SQLViewRepresentation.class::cast)
            .map(each -> new Text(each.dialect(), each.sql()))
            .toList(),
        Optional.ofNullable(view.properties().get("comment")));
  }

  /** {@code catalog.namespace.view} for people. */
  public String displayName() {
    return catalog + "." + identifier;
  }
}
