package io.fulmar.catalog.registry;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import org.apache.iceberg.Schema;
import org.apache.iceberg.catalog.Namespace;

/**
 * What a view is to be.
 *
 * @param sql the query, in the dialect {@link #DIALECT}
 * @param schema its columns, with comments
 * @param defaultCatalog in which unqualified names of the text are
 * @param defaultNamespace in which unqualified names of the text are
 * @param comment of the view
 */
public record ViewDefinition(
    String sql,
    Schema schema,
    String defaultCatalog,
    Namespace defaultNamespace,
    Optional<String> comment) {
  /** The name of this server's dialect in view metadata. */
  public static final String DIALECT = "fulmar";

  public ViewDefinition {
    requireNonNull(sql, "sql is null");
    requireNonNull(schema, "schema is null");
    requireNonNull(defaultCatalog, "defaultCatalog is null");
    requireNonNull(defaultNamespace, "defaultNamespace is null");
    requireNonNull(comment, "comment is null");
  }

  /** What to do where a view of that name exists. */
  public enum IfExists {
    FAIL,
    REPLACE
  }
}
