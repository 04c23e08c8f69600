package io.fulmar.server.metadata;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.registry.CatalogRegistry;
import io.fulmar.catalog.registry.IcebergCatalog;
import io.fulmar.catalog.registry.LoadedTable;
import io.fulmar.server.session.SessionState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.flight.sql.FlightSqlProducer.Schemas;
import org.apache.iceberg.Schema;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;

/**
 * Answers each metadata command. Catalogs and schemas are compared exactly, patterns by {@link
 * LikePattern}; nested namespaces are schemas whose name has dots; rows are sorted.
 */
public final class MetadataService {
  private static final Comparator<String> TEXT = Comparator.naturalOrder();

  private final CatalogRegistry catalogs;
  private final SqlInfoCatalogue sqlInfo;
  private final TableListing listing;

  /**
   * @param version of the server
   * @param statementTimeoutMillis the default, 0 for none
   */
  public MetadataService(CatalogRegistry catalogs, String version, int statementTimeoutMillis) {
    this.catalogs = requireNonNull(catalogs, "catalogs is null");
    this.sqlInfo = new SqlInfoCatalogue(version, statementTimeoutMillis);
    this.listing = new TableListing(catalogs);
  }

  /**
   * What GetTables asks for.
   *
   * @param catalog exact; empty text means objects without a catalog, of which there are none
   * @param types any case; none means all
   */
  public record TableFilter(
      Optional<String> catalog,
      Optional<String> schemaPattern,
      Optional<String> tablePattern,
      List<String> types) {
    public TableFilter {
      requireNonNull(catalog, "catalog is null");
      requireNonNull(schemaPattern, "schemaPattern is null");
      requireNonNull(tablePattern, "tablePattern is null");
      types = List.copyOf(types);
    }
  }

  public MetadataAnswer catalogs() {
    List<Object[]> rows =
        catalogs.names().stream().sorted().map(name -> new Object[] {name}).toList();
    return new MetadataAnswer.Rows(Schemas.GET_CATALOGS_SCHEMA, rows);
  }

  public MetadataAnswer schemas(Optional<String> catalog, Optional<String> pattern) {
    LikePattern matcher = LikePattern.of(pattern);
    List<Object[]> rows = new ArrayList<>();
    for (IcebergCatalog each : listing.catalogs(catalog)) {
      each.namespaces().stream()
          .map(Namespace::toString)
          .filter(matcher::matches)
          .sorted()
          .forEach(name -> rows.add(new Object[] {each.name(), name}));
    }
    return new MetadataAnswer.Rows(Schemas.GET_SCHEMAS_SCHEMA, rows);
  }

  public MetadataAnswer tables(TableFilter filter) {
    List<Object[]> rows =
        listing.tables(filter).stream()
            .map(
                table -> new Object[] {table.catalog(), table.schema(), table.name(), table.type()})
            .toList();
    return new MetadataAnswer.Rows(Schemas.GET_TABLES_SCHEMA_NO_SCHEMA, rows);
  }

  public MetadataAnswer tablesWithSchema(TableFilter filter) {
    List<Object[]> rows =
        listing.tables(filter).stream()
            .map(
                table ->
                    new Object[] {
                      table.catalog(),
                      table.schema(),
                      table.name(),
                      table.type(),
                      listing.arrowSchema(table)
                    })
            .toList();
    return new MetadataAnswer.Rows(Schemas.GET_TABLES_SCHEMA, rows);
  }

  public MetadataAnswer tableTypes() {
    List<Object[]> rows =
        TableListing.TYPES.stream().sorted(TEXT).map(type -> new Object[] {type}).toList();
    return new MetadataAnswer.Rows(Schemas.GET_TABLE_TYPES_SCHEMA, rows);
  }

  /** Given ids, or all where none is named. */
  public MetadataAnswer sqlInfo(Collection<Integer> ids) {
    return sqlInfo.answer(ids);
  }

  public MetadataAnswer typeInfo(Optional<Integer> dataType) {
    return TypeInfo.answer(dataType);
  }

  /** The identifier fields of a table; none where there is no such table. */
  public MetadataAnswer primaryKeys(
      SessionState session, Optional<String> catalog, Optional<String> schema, String table) {
    List<Object[]> rows = new ArrayList<>();
    Optional<String> inCatalog = catalog.or(session::catalog);
    Optional<String> inSchema = schema.or(session::schema);
    for (IcebergCatalog each : listing.catalogs(inCatalog)) {
      for (Namespace namespace : listing.namespaces(each, inSchema)) {
        each.find(TableIdentifier.of(namespace, table))
            .ifPresent(found -> rows.addAll(keys(found)));
      }
    }
    return new MetadataAnswer.Rows(Schemas.GET_PRIMARY_KEYS_SCHEMA, rows);
  }

  /** Iceberg has no foreign keys. */
  public MetadataAnswer foreignKeys() {
    return new MetadataAnswer.Rows(Schemas.GET_CROSS_REFERENCE_SCHEMA, List.of());
  }

  private static List<Object[]> keys(LoadedTable table) {
    Schema schema = table.metadata().schema();
    List<String> names = schema.identifierFieldNames().stream().sorted().toList();
    List<Object[]> rows = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      rows.add(
          new Object[] {
            table.catalog(),
            table.identifier().namespace().toString(),
            table.identifier().name(),
            names.get(i),
            i + 1,
            null
          });
    }
    return rows;
  }
}
