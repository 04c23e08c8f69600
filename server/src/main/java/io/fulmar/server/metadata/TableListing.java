package io.fulmar.server.metadata;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.registry.CatalogRegistry;
import io.fulmar.catalog.registry.IcebergCatalog;
import io.fulmar.catalog.registry.LoadedView;
import io.fulmar.catalog.type.IcebergTypes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.arrow.vector.ipc.WriteChannel;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.types.Types;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tables and views of the catalogs, and their columns as drivers read them. */
final class TableListing {
  static final String TABLE = "TABLE";
  static final String VIEW = "VIEW";
  static final List<String> TYPES = List.of(TABLE, VIEW);

  private static final Logger LOG = LoggerFactory.getLogger(TableListing.class);
  private static final String BASE_TABLE = "BASE TABLE";

  private final CatalogRegistry registry;

  TableListing(CatalogRegistry registry) {
    this.registry = requireNonNull(registry, "registry is null");
  }

  /** A table or view. */
  record Entry(String catalog, String schema, String name, String type, TableIdentifier id) {}

  /** The catalog of that exact name, or by name all that answer. */
  List<IcebergCatalog> catalogs(Optional<String> name) {
    if (name.isPresent()) {
      return registry.names().contains(name.get())
          ? List.of(registry.require(name.get()))
          : List.of();
    }
    return registry.catalogs().stream().sorted(Comparator.comparing(IcebergCatalog::name)).toList();
  }

  /** The namespace of that exact name, or all. */
  List<Namespace> namespaces(IcebergCatalog catalog, Optional<String> schema) {
    if (schema.isEmpty()) {
      return catalog.namespaces();
    }

    Namespace namespace = Namespace.of(schema.get().split("\\.", -1));
    return catalog.namespaceExists(namespace) ? List.of(namespace) : List.of();
  }

  /** Sorted by catalog, schema, name and type. */
  List<Entry> tables(MetadataService.TableFilter filter) {
    Set<String> types = wantedTypes(filter.types());
    LikePattern schemas = LikePattern.of(filter.schemaPattern());
    LikePattern names = LikePattern.of(filter.tablePattern());
    List<Entry> entries = new ArrayList<>();
    for (IcebergCatalog catalog : catalogs(filter.catalog())) {
      for (Namespace namespace : catalog.namespaces()) {
        if (schemas.matches(namespace.toString())) {
          entries.addAll(list(catalog, namespace, names, types));
        }
      }
    }
    entries.sort(
        Comparator.comparing(Entry::catalog)
            .thenComparing(Entry::schema)
            .thenComparing(Entry::name)
            .thenComparing(Entry::type));
    return entries;
  }

  /**
   * The columns as an encapsulated IPC schema message. A table or view whose metadata cannot be
   * read is listed without columns, so that one broken table does not hide the others.
   */
  byte[] arrowSchema(Entry entry) {
    return serialize(new Schema(columns(entry)));
  }

  private List<Entry> list(
      IcebergCatalog catalog, Namespace namespace, LikePattern names, Set<String> types) {
    List<Entry> entries = new ArrayList<>();
    if (types.contains(TABLE)) {
      catalog.tables(namespace).forEach(id -> entries.add(entry(catalog, id, TABLE)));
    }
    if (types.contains(VIEW)) {
      catalog.views(namespace).forEach(id -> entries.add(entry(catalog, id, VIEW)));
    }
    entries.removeIf(entry -> !names.matches(entry.name()));
    return entries;
  }

  private static Entry entry(IcebergCatalog catalog, TableIdentifier id, String type) {
    return new Entry(catalog.name(), id.namespace().toString(), id.name(), type, id);
  }

  private List<Field> columns(Entry entry) {
    try {
      return schema(entry).columns().stream().map(column -> column(entry, column)).toList();
    } catch (FulmarException e) {
      LOG.warn("Columns of {}.{} are not shown: {}", entry.catalog(), entry.id(), e.getMessage());
      return List.of();
    }
  }

  private org.apache.iceberg.Schema schema(Entry entry) {
    IcebergCatalog catalog = registry.require(entry.catalog());
    return entry.type().equals(TABLE)
        ? catalog.load(entry.id()).metadata().schema()
        : catalog
            .findView(entry.id())
            .map(LoadedView::schema)
            .orElseGet(() -> new org.apache.iceberg.Schema());
  }

  private static Field column(Entry entry, Types.NestedField column) {
    Field field = IcebergTypes.toArrow(column);
    FieldType type = new FieldType(column.isOptional(), field.getType(), null);
    return ColumnMetadata.describeColumn(
        new Field(field.getName(), type, field.getChildren()),
        entry.catalog(),
        entry.schema(),
        entry.name(),
        Optional.ofNullable(column.doc()));
  }

  /** Some tools say BASE TABLE. */
  private static Set<String> wantedTypes(List<String> types) {
    if (types.isEmpty()) {
      return Set.copyOf(TYPES);
    }

    return types.stream()
        .map(type -> type.toUpperCase(Locale.ROOT))
        .map(type -> type.equals(BASE_TABLE) ? TABLE : type)
        .collect(Collectors.toSet());
  }

  private static byte[] serialize(Schema schema) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      MessageSerializer.serialize(new WriteChannel(Channels.newChannel(bytes)), schema);
    } catch (IOException e) {
      throw new UncheckedIOException("An array never fails", e);
    }
    return bytes.toByteArray();
  }
}
