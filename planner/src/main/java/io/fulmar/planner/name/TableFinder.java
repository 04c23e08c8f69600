package io.fulmar.planner.name;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.registry.CatalogRegistry;
import io.fulmar.catalog.registry.IcebergCatalog;
import io.fulmar.catalog.registry.LoadedTable;
import io.fulmar.catalog.registry.LoadedView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;

/**
 * Finds catalogs, schemas and tables by written names. A lookup asks for the exact table first;
 * only if that is not there does it list one schema.
 */
public final class TableFinder {
  private final CatalogRegistry registry;
  private final Optional<IcebergCatalog> sessionCatalog;
  private final List<NamePart> sessionSchema;

  /**
   * @param catalog the session's catalog
   * @param schema the session's schema, its levels joined by dots
   */
  public TableFinder(CatalogRegistry registry, Optional<String> catalog, Optional<String> schema) {
    this.registry = requireNonNull(registry, "registry is null");
    this.sessionCatalog = catalog.flatMap(registry::find);
    this.sessionSchema = schema.stream().flatMap(TableFinder::levels).map(NamePart::exact).toList();
  }

  private static Stream<String> levels(String schema) {
    return Arrays.stream(schema.split("\\.", -1));
  }

  /** The table of a written name. */
  public Optional<LoadedTable> find(List<NamePart> parts) {
    return find(parts, IcebergCatalog::find, IcebergCatalog::tables);
  }

  /** The view of a written name. */
  public Optional<LoadedView> findView(List<NamePart> parts) {
    return find(parts, IcebergCatalog::findView, IcebergCatalog::views);
  }

  private <T> Optional<T> find(List<NamePart> parts, Loading<T> load, Listing list) {
    for (Place place : places(parts)) {
      Optional<T> found = find(place, load, list);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  private interface Loading<T> {
    Optional<T> load(IcebergCatalog catalog, TableIdentifier identifier);
  }

  private interface Listing {
    List<TableIdentifier> list(IcebergCatalog catalog, Namespace namespace);
  }

  /** Where a table or view of a written name would be created; its schema need not exist. */
  public Optional<NewName> newName(List<NamePart> parts) {
    String name = parts.get(parts.size() - 1).name();
    List<NamePart> before = parts.subList(0, parts.size() - 1);
    Optional<SchemaName> schema =
        before.isEmpty() ? sessionSchema() : schema(before).or(() -> writtenSchema(before));
    return schema.map(
        found -> new NewName(found.catalog(), TableIdentifier.of(found.namespace(), name)));
  }

  /** A name in a catalog that nothing may have yet. */
  public record NewName(IcebergCatalog catalog, TableIdentifier identifier) {}

  /** Where a written name may mean, the likeliest first. */
  private List<Place> places(List<NamePart> parts) {
    List<Place> places = new ArrayList<>();
    NamePart table = parts.get(parts.size() - 1);
    List<NamePart> before = parts.subList(0, parts.size() - 1);
    if (before.size() >= 2) {
      catalog(before.get(0))
          .ifPresent(
              catalog -> places.add(new Place(catalog, before.subList(1, before.size()), table)));
    }
    sessionCatalog.ifPresent(
        catalog ->
            places.add(new Place(catalog, before.isEmpty() ? sessionSchema : before, table)));
    if (before.size() == 1) {
      catalog(before.get(0)).ifPresent(catalog -> places.add(new Place(catalog, List.of(), table)));
    }
    return places;
  }

  private record Place(IcebergCatalog catalog, List<NamePart> schema, NamePart table) {
    Namespace namespace() {
      return Namespace.of(levelNames(schema));
    }
  }

  private static String[] levelNames(List<NamePart> schema) {
    return schema.stream().flatMap(part -> levels(part.name())).toArray(String[]::new);
  }

  private <T> Optional<T> find(Place place, Loading<T> load, Listing list) {
    TableIdentifier written = TableIdentifier.of(place.namespace(), place.table().name());
    Optional<T> exact = load.load(place.catalog(), written);
    if (exact.isPresent() || isExact(place) || place.schema().isEmpty()) {
      return exact;
    }
    Optional<Namespace> namespace = namespace(place.catalog(), place.schema());
    if (namespace.isEmpty()) {
      return Optional.empty();
    }
    if (place.table().isExact()) {
      return load.load(place.catalog(), TableIdentifier.of(namespace.get(), place.table().name()));
    }
    return onlyMatch(list.list(place.catalog(), namespace.get()), place.table())
        .flatMap(identifier -> load.load(place.catalog(), identifier));
  }

  private static boolean isExact(Place place) {
    return place.table().isExact() && place.schema().stream().allMatch(NamePart::isExact);
  }

  private static Optional<TableIdentifier> onlyMatch(
      List<TableIdentifier> tables, NamePart wanted) {
    List<TableIdentifier> matches =
        tables.stream().filter(table -> wanted.matches(table.name())).toList();
    if (matches.size() > 1) {
      throw new FulmarException(
              ErrorCode.AMBIGUOUS_NAME,
              "Table \"%s\" fits several: %s"
                  .formatted(
                      wanted.name(),
                      String.join(", ", matches.stream().map(TableIdentifier::name).toList())))
          .withHint("Put the name in double quotes.");
    }
    return matches.stream().findFirst();
  }

  /** The catalog of a written name. */
  public Optional<IcebergCatalog> catalog(NamePart part) {
    return registry.find(part.name()).filter(catalog -> part.matches(catalog.name()));
  }

  /** The schema of a written name within a catalog, as the catalog spells it. */
  Optional<Namespace> namespace(IcebergCatalog catalog, List<NamePart> schema) {
    Namespace written = Namespace.of(levelNames(schema));
    if (schema.stream().allMatch(NamePart::isExact)) {
      return catalog.namespaceExists(written) ? Optional.of(written) : Optional.empty();
    }
    return catalog.findNamespaceIgnoringCase(written).filter(found -> matches(schema, found));
  }

  private static boolean matches(List<NamePart> schema, Namespace found) {
    int level = 0;
    for (NamePart part : schema) {
      for (String name : part.name().split("\\.", -1)) {
        if (part.isExact() && !name.equals(found.level(level))) {
          return false;
        }
        level++;
      }
    }
    return true;
  }

  /** The schema of a written name: {@code catalog.schema}, or {@code schema} of the session's. */
  public Optional<SchemaName> schema(List<NamePart> parts) {
    if (parts.size() > 1) {
      Optional<IcebergCatalog> catalog = catalog(parts.get(0));
      Optional<SchemaName> found =
          catalog.flatMap(
              each ->
                  namespace(each, parts.subList(1, parts.size()))
                      .map(namespace -> new SchemaName(each, namespace)));
      if (found.isPresent()) {
        return found;
      }
    }
    return sessionCatalog.flatMap(
        each -> namespace(each, parts).map(namespace -> new SchemaName(each, namespace)));
  }

  /** As {@link #schema}, of a schema that need not exist. */
  public Optional<SchemaName> writtenSchema(List<NamePart> parts) {
    Optional<IcebergCatalog> named = parts.size() > 1 ? catalog(parts.get(0)) : Optional.empty();
    List<NamePart> schema = named.isPresent() ? parts.subList(1, parts.size()) : parts;
    return named
        .or(() -> sessionCatalog)
        .map(catalog -> new SchemaName(catalog, Namespace.of(levelNames(schema))));
  }

  /** The session's schema, where it has one that exists. */
  public Optional<SchemaName> sessionSchema() {
    return sessionSchema.isEmpty()
        ? Optional.empty()
        : sessionCatalog.flatMap(
            catalog ->
                namespace(catalog, sessionSchema)
                    .map(namespace -> new SchemaName(catalog, namespace)));
  }

  public Optional<IcebergCatalog> sessionCatalog() {
    return sessionCatalog;
  }

  public CatalogRegistry registry() {
    return registry;
  }

  /** Why {@link #find} found nothing: what is unknown, with near names. */
  public NotFound explain(List<NamePart> parts) {
    for (Place place : places(parts)) {
      Optional<Namespace> namespace =
          place.schema().isEmpty()
              ? Optional.of(Namespace.empty())
              : namespace(place.catalog(), place.schema());
      if (namespace.isPresent()) {
        return missingTable(place, namespace.get());
      }
    }
    return missingSchema(parts);
  }

  private static NotFound missingTable(Place place, Namespace namespace) {
    String where =
        namespace.isEmpty()
            ? place.catalog().name() + " itself, and the session has no schema (USE one)"
            : place.catalog().name() + "." + namespace;
    List<String> known =
        namespace.isEmpty()
            ? List.of()
            : Stream.concat(
                    place.catalog().tables(namespace).stream(),
                    place.catalog().views(namespace).stream())
                .map(TableIdentifier::name)
                .toList();
    return new NotFound(
        ErrorCode.UNKNOWN_TABLE,
        "No table \"%s\" exists in %s".formatted(place.table().name(), where),
        place.table(),
        known);
  }

  private NotFound missingSchema(List<NamePart> parts) {
    NamePart first = parts.get(0);
    if (parts.size() == 1) {
      return new NotFound(
          ErrorCode.UNKNOWN_TABLE,
          "No table \"%s\" is visible: the session has no schema".formatted(first.name()),
          first,
          List.of());
    }
    Optional<IcebergCatalog> named = parts.size() > 2 ? catalog(first) : Optional.empty();
    Optional<IcebergCatalog> searched = named.or(() -> sessionCatalog);
    if (searched.isEmpty() || (named.isEmpty() && parts.size() > 2)) {
      return new NotFound(
          ErrorCode.UNKNOWN_CATALOG,
          "No catalog \"%s\" exists".formatted(first.name()),
          first,
          registry.names());
    }
    NamePart schema = named.isPresent() ? parts.get(1) : first;
    List<String> known =
        searched.get().namespaces(Namespace.empty()).stream().map(Namespace::toString).toList();
    return new NotFound(
        ErrorCode.UNKNOWN_SCHEMA,
        "No schema \"%s\" exists in catalog %s".formatted(schema.name(), searched.get().name()),
        schema,
        known);
  }

  /** What is unknown. */
  public record NotFound(ErrorCode code, String message, NamePart blamed, List<String> known) {}
}
