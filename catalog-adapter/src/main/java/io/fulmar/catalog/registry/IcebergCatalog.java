package io.fulmar.catalog.registry;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.metadata.LocationMapper;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.rest.RESTCatalog;

/**
 * One open catalog. Every failure is a {@link FulmarException}: {@code UNKNOWN_SCHEMA}, {@code
 * UNKNOWN_TABLE}, {@code DUPLICATE_…}, {@code FILE_NOT_FOUND} or {@code INVALID_METADATA} naming
 * the metadata file, else {@code CATALOG_FAILED}. Safe for use by several threads.
 */
public final class IcebergCatalog implements AutoCloseable {
  private final CatalogSettings settings;
  private final Catalog catalog;
  private final Optional<Path> scratch;
  private final LocationMapper location;
  private final MetadataFiles metadataFiles;
  private final TableLoader loader;
  private final NamespaceTree namespaces;
  private final ViewNames views;

  private IcebergCatalog(CatalogSettings settings, CatalogFactory.OpenCatalog open) {
    this.settings = settings;
    this.catalog = open.catalog();
    this.scratch = open.scratch();
    this.location = PathMapping.of(settings.pathMapping());
    this.metadataFiles = new MetadataFiles(open.properties());
    this.loader = new TableLoader(catalog, metadataFiles);
    this.namespaces = new NamespaceTree(settings.name(), catalog);
    this.views = new ViewNames(settings.name(), catalog, metadataFiles);
  }

  /**
   * @throws FulmarException INVALID_SETTING or CATALOG_FAILED
   */
  static IcebergCatalog open(CatalogSettings settings) {
    return new IcebergCatalog(settings, CatalogFactory.open(settings));
  }

  /** The SQL name. */
  public String name() {
    return settings.name();
  }

  public CatalogSettings settings() {
    return settings;
  }

  /** Maps a path of the metadata to the address of its bytes. */
  public LocationMapper location() {
    return location;
  }

  /** Iceberg's own object, for commits. */
  public Catalog icebergCatalog() {
    return catalog;
  }

  /** All namespaces of every level, each parent before its children. */
  public List<Namespace> namespaces() {
    return namespaces.all();
  }

  /** The namespaces right below one; of the empty namespace: the top level. */
  public List<Namespace> namespaces(Namespace parent) {
    return namespaces.children(parent);
  }

  public boolean namespaceExists(Namespace namespace) {
    return namespaces.exists(namespace);
  }

  /** The namespace of that name, else the only one whose name differs by case alone. */
  public Optional<Namespace> findNamespaceIgnoringCase(Namespace namespace) {
    return namespaces.findIgnoringCase(namespace);
  }

  /** Creates a namespace; its parents need not exist. */
  public void createNamespace(Namespace namespace, Map<String, String> properties) {
    namespaces.create(namespace, properties);
  }

  /** Drops an empty namespace. */
  public void dropNamespace(Namespace namespace) {
    namespaces.drop(namespace);
  }

  /** The tables of a namespace, not those of its children. */
  public List<TableIdentifier> tables(Namespace namespace) {
    return attempt("Cannot list the tables of " + show(namespace), () -> listed(namespace));
  }

  public boolean tableExists(TableIdentifier identifier) {
    return attempt("Cannot look up " + show(identifier), () -> catalog.tableExists(identifier));
  }

  /** The table of exactly that name, as it is now. */
  public Optional<LoadedTable> find(TableIdentifier identifier) {
    try {
      TableLoader.Loaded loaded = loader.load(identifier);
      MetadataFiles.supported(show(identifier), loaded.metadata());
      return Optional.of(
          new LoadedTable(
              name(),
              identifier,
              loaded.metadata(),
              loaded.io(),
              location,
              StorageProperties.of(loaded.io(), loaded.metadata().location())));
    } catch (RuntimeException e) {
      if (CatalogErrors.isMissing(e)) {
        return Optional.empty();
      }
      throw CatalogErrors.of("Cannot load the table " + show(identifier), e);
    }
  }

  /**
   * The table of that name, else the only one whose name and namespace differ by case alone. Lists
   * one namespace at most.
   *
   * @throws FulmarException AMBIGUOUS_NAME where several do
   */
  public Optional<LoadedTable> findIgnoringCase(TableIdentifier identifier) {
    Optional<LoadedTable> exact = find(identifier);
    if (exact.isPresent()) {
      return exact;
    }

    Optional<Namespace> namespace = findNamespaceIgnoringCase(identifier.namespace());
    if (namespace.isEmpty()) {
      return Optional.empty();
    }

    return NameMatch.only(tables(namespace.get()), TableIdentifier::name, identifier.name())
        .flatMap(this::find);
  }

  /**
   * The table of exactly that name, as it is now.
   *
   * @throws FulmarException UNKNOWN_TABLE
   */
  public LoadedTable load(TableIdentifier identifier) {
    return find(identifier)
        .orElseThrow(
            () ->
                new FulmarException(
                    ErrorCode.UNKNOWN_TABLE, "No table " + show(identifier) + " exists"));
  }

  /** The table for a commit: a handle of its own, fresh. */
  public Table table(TableIdentifier identifier) {
    return attempt(
        "Cannot load the table " + show(identifier),
        () -> {
          Table table = loader.table(identifier);
          loader.forget(identifier);
          return table;
        });
  }

  /**
   * Makes a table known by its metadata file. The namespace must exist.
   *
   * @param metadataLocation as metadata spells paths: the catalog's path mapping applies
   */
  public LoadedTable registerTable(TableIdentifier identifier, String metadataLocation) {
    requireNonNull(metadataLocation, "metadataLocation is null");
    requireNamespace(identifier);
    boolean ownFiles = !(catalog instanceof RESTCatalog);
    if (ownFiles) {
      metadataFiles.read(metadataLocation);
    }
    attempt(
        "Cannot register " + show(identifier) + " from " + metadataLocation,
        () -> catalog.registerTable(identifier, metadataLocation));
    return ownFiles ? load(identifier) : loadRegistered(identifier);
  }

  /** A REST service reads the file with rights of its own, so that only a load tells of faults. */
  private LoadedTable loadRegistered(TableIdentifier identifier) {
    try {
      return load(identifier);
    } catch (FulmarException e) {
      try {
        catalog.dropTable(identifier, /* purge= */ false);
      } catch (RuntimeException undone) {
        e.addSuppressed(undone);
      }
      throw e;
    }
  }

  /** The views of a namespace; none where the catalog has no views. */
  public List<TableIdentifier> views(Namespace namespace) {
    return views.list(namespace);
  }

  /** The view of exactly that name, as it is now. */
  public Optional<LoadedView> findView(TableIdentifier identifier) {
    return views.find(identifier);
  }

  /**
   * Creates or replaces a view. The namespace must exist.
   *
   * @throws FulmarException DUPLICATE_TABLE where a table, or unless it is to be replaced a view,
   *     has the name
   */
  public void createView(
      TableIdentifier identifier, ViewDefinition definition, ViewDefinition.IfExists mode) {
    requireNamespace(identifier);
    if (tableExists(identifier)) {
      throw new FulmarException(
          ErrorCode.DUPLICATE_TABLE, "A table " + show(identifier) + " exists");
    }
    views.create(identifier, definition, mode);
  }

  /** Drops a view; false where there is none. */
  public boolean dropView(TableIdentifier identifier) {
    return views.drop(identifier);
  }

  /**
   * Makes a view known by its metadata file. The namespace must exist.
   *
   * @param metadataLocation as metadata spells paths: the catalog's path mapping applies
   */
  public void registerView(TableIdentifier identifier, String metadataLocation) {
    requireNonNull(metadataLocation, "metadataLocation is null");
    requireNamespace(identifier);
    views.register(identifier, metadataLocation);
  }

  private void requireNamespace(TableIdentifier identifier) {
    if (!namespaceExists(identifier.namespace())) {
      throw namespaces.unknown(identifier.namespace());
    }
  }

  @Override
  public void close() {
    if (catalog instanceof AutoCloseable closeable) {
      try {
        closeable.close();
      } catch (Exception e) {
        throw new FulmarException(ErrorCode.CATALOG_FAILED, "Cannot close " + name(), e);
      }
    }
    scratch.ifPresent(LocalFiles::deleteFolder);
  }

  private List<TableIdentifier> listed(Namespace namespace) {
    return catalog.listTables(namespace).stream()
        .sorted(Comparator.comparing(TableIdentifier::name))
        .toList();
  }

  private <T> T attempt(String what, Supplier<T> action) {
    try {
      return action.get();
    } catch (RuntimeException e) {
      throw CatalogErrors.of(what, e);
    }
  }

  private String show(Object name) {
    return name() + "." + name;
  }
}
