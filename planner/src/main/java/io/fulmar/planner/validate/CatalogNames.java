package io.fulmar.planner.validate;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.host.HostTable;
import io.fulmar.catalog.metadata.VersionSelector;
import io.fulmar.catalog.registry.CatalogRegistry;
import io.fulmar.catalog.registry.IcebergCatalog;
import io.fulmar.catalog.registry.LoadedView;
import io.fulmar.planner.name.NamePart;
import io.fulmar.planner.name.SchemaName;
import io.fulmar.planner.name.TableFinder;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlIdentifier;

/** Catalogs, schemas and tables by the names of a statement, as a session sees them. */
public final class CatalogNames {
  private final TableFinder finder;
  private final StatementTables tables;
  private final SystemTables systemTables;

  CatalogNames(TableFinder finder, StatementTables tables, SystemTables systemTables) {
    this.finder = requireNonNull(finder, "finder is null");
    this.tables = requireNonNull(tables, "tables is null");
    this.systemTables = requireNonNull(systemTables, "systemTables is null");
  }

  /** The configured catalogs. */
  public CatalogRegistry registry() {
    return finder.registry();
  }

  public Optional<IcebergCatalog> sessionCatalog() {
    return finder.sessionCatalog();
  }

  /** The session's schema, where it has one that exists. */
  public Optional<SchemaName> sessionSchema() {
    return finder.sessionSchema();
  }

  public Optional<IcebergCatalog> catalog(SqlIdentifier name) {
    return name.isSimple() ? finder.catalog(NamePart.of(name).get(0)) : Optional.empty();
  }

  /** A schema that exists: {@code catalog.schema}, or {@code schema} of the session's catalog. */
  public Optional<SchemaName> schema(SqlIdentifier name) {
    return finder.schema(NamePart.of(name));
  }

  /** A schema that need not exist, spelled as it is written; empty where no catalog is meant. */
  public Optional<SchemaName> writtenSchema(SqlIdentifier name) {
    return finder.writtenSchema(NamePart.of(name));
  }

  /** Where a table or view of a written name would be created. */
  public Optional<TableFinder.NewName> newName(SqlIdentifier name) {
    return finder.newName(NamePart.of(name));
  }

  /** The view of a written name. */
  public Optional<LoadedView> view(SqlIdentifier name) {
    return finder.findView(NamePart.of(name));
  }

  /**
   * The columns of a table as SQL sees them.
   *
   * @throws io.fulmar.catalog.error.FulmarException with the part of the name at fault
   */
  public List<TableColumn> columns(SqlIdentifier table) {
    return tables.find(NamePart.of(table), new VersionSelector.Current()).columns();
  }

  /** A table of the catalog {@code system}. */
  public Optional<HostTable> systemTable(String name) {
    return systemTables.find(name);
  }
}
