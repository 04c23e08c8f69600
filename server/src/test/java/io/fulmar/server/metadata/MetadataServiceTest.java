package io.fulmar.server.metadata;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fulmar.catalog.registry.CatalogRegistry;
import io.fulmar.catalog.registry.CatalogSettings;
import io.fulmar.server.session.SessionState;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.arrow.flight.sql.FlightSqlProducer.Schemas;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ReadChannel;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MetadataServiceTest {
  private static final org.apache.iceberg.Schema COLUMNS =
      new org.apache.iceberg.Schema(
          List.of(
              Types.NestedField.required(1, "id", Types.LongType.get(), "the key"),
              Types.NestedField.optional(2, "price", Types.DecimalType.of(12, 2))),
          Set.of(1));

  private final BufferAllocator allocator = new RootAllocator();
  private final CatalogRegistry catalogs =
      CatalogRegistry.open(List.of(catalog("b"), catalog("a")));
  private final MetadataService metadata = new MetadataService(catalogs, "1.2.3", 0);

  @BeforeEach
  void makeTables() {
    table("a", "sales", "orders");
    table("a", "sales", "ord_rs");
    table("a", "hr", "people");
    table("b", "sales", "orders");
  }

  @AfterEach
  void close() {
    catalogs.close();
    allocator.close();
  }

  @Test
  void catalogsAreSorted() {
    assertEquals(List.of(List.of("a"), List.of("b")), rows(metadata.catalogs()));
  }

  @Test
  void schemasByCatalogAndPattern() {
    assertEquals(
        List.of(List.of("a", "hr"), List.of("a", "sales"), List.of("b", "sales")),
        rows(metadata.schemas(Optional.empty(), Optional.empty())));
    assertEquals(
        List.of(List.of("a", "sales")),
        rows(metadata.schemas(Optional.of("a"), Optional.of("s%"))));
    assertEquals(List.of(), rows(metadata.schemas(Optional.of(""), Optional.empty())));
  }

  @Test
  void nestedNamespacesAreDottedSchemas() {
    catalogs.require("b").createNamespace(Namespace.of("x"), Map.of());
    catalogs.require("b").createNamespace(Namespace.of("x", "y"), Map.of());

    assertEquals(
        List.of(List.of("b", "x"), List.of("b", "x.y")),
        rows(metadata.schemas(Optional.of("b"), Optional.of("x%"))));
  }

  @Test
  void tablesByPattern() {
    assertEquals(
        List.of(List.of("a", "sales", "ord_rs", "TABLE"), List.of("a", "sales", "orders", "TABLE")),
        rows(metadata.tables(filter("a", "sales", "ord_rs", List.of()))));
    assertEquals(
        List.of(List.of("a", "sales", "ord_rs", "TABLE")),
        rows(metadata.tables(filter("a", "sales", "ord\\_rs", List.of()))));
  }

  @Test
  void tableTypesAreComparedLoosely() {
    assertEquals(
        3, rows(metadata.tables(filter("a", "%", "%", List.of("base table", "table")))).size());
    assertEquals(0, rows(metadata.tables(filter("a", "%", "%", List.of("VIEW")))).size());
    assertEquals(List.of(List.of("TABLE"), List.of("VIEW")), rows(metadata.tableTypes()));
  }

  @Test
  void tableSchemasAreIpcMessagesWithWhatDriversShow() throws IOException {
    MetadataAnswer answer =
        metadata.tablesWithSchema(filter("b", "sales", "orders", List.of("TABLE")));

    assertEquals(Schemas.GET_TABLES_SCHEMA, answer.schema());
    List<Field> fields = readSchema((byte[]) rows(answer).get(0).get(4));
    assertEquals(List.of("id", "price"), fields.stream().map(Field::getName).toList());
    assertEquals(false, fields.get(0).isNullable());
    assertEquals(true, fields.get(1).isNullable());
    Map<String, String> id = fields.get(0).getMetadata();
    assertEquals("BIGINT", id.get("ARROW:FLIGHT:SQL:TYPE_NAME"));
    assertEquals("the key", id.get("ARROW:FLIGHT:SQL:REMARKS"));
    assertEquals("orders", id.get("ARROW:FLIGHT:SQL:TABLE_NAME"));
    Map<String, String> price = fields.get(1).getMetadata();
    assertEquals("12", price.get("ARROW:FLIGHT:SQL:PRECISION"));
    assertEquals("2", price.get("ARROW:FLIGHT:SQL:SCALE"));
  }

  @Test
  void primaryKeysAreTheIdentifierFields() {
    assertEquals(
        List.of(Arrays.asList("a", "sales", "orders", "id", 1, null)),
        rows(
            metadata.primaryKeys(
                SessionState.initial(), Optional.of("a"), Optional.of("sales"), "orders")));
    assertEquals(
        2,
        rows(metadata.primaryKeys(
                SessionState.initial(), Optional.empty(), Optional.empty(), "orders"))
            .size());
    assertEquals(
        List.of(),
        rows(
            metadata.primaryKeys(
                SessionState.initial(), Optional.of("a"), Optional.of("none"), "orders")));
  }

  @Test
  void foreignKeysAreEmptyWithTheRightSchema() {
    assertEquals(Schemas.GET_CROSS_REFERENCE_SCHEMA, metadata.foreignKeys().schema());
    assertEquals(List.of(), rows(metadata.foreignKeys()));
  }

  @Test
  void typeInfoKnowsTheTypesOfColumns() {
    List<List<Object>> all = rows(metadata.typeInfo(Optional.empty()));
    List<Object> names = all.stream().map(row -> row.get(0)).toList();

    assertTrue(names.containsAll(List.of("BIGINT", "DECIMAL", "VARCHAR", "TIMESTAMP")), "" + names);
    assertEquals(
        List.of("INTEGER"),
        rows(metadata.typeInfo(Optional.of(4))).stream().map(row -> row.get(0)).toList());
  }

  private static CatalogSettings catalog(String name) {
    return new CatalogSettings(name, "in-memory", Map.of(), Map.of());
  }

  private void table(String catalog, String schema, String name) {
    Namespace namespace = Namespace.of(schema);
    if (!catalogs.require(catalog).namespaceExists(namespace)) {
      catalogs.require(catalog).createNamespace(namespace, Map.of());
    }
    catalogs
        .require(catalog)
        .icebergCatalog()
        .createTable(TableIdentifier.of(namespace, name), COLUMNS);
  }

  private static MetadataService.TableFilter filter(
      String catalog, String schema, String table, List<String> types) {
    return new MetadataService.TableFilter(
        Optional.of(catalog), Optional.of(schema), Optional.of(table), types);
  }

  private List<List<Object>> rows(MetadataAnswer answer) {
    List<List<Object>> rows = new ArrayList<>();
    try (VectorSchemaRoot root = answer.load(allocator)) {
      for (int row = 0; row < root.getRowCount(); row++) {
        List<Object> values = new ArrayList<>();
        for (int column = 0; column < root.getFieldVectors().size(); column++) {
          Object value = root.getVector(column).getObject(row);
          boolean plain = value == null || value instanceof byte[] || value instanceof Integer;
          values.add(plain ? value : value.toString());
        }
        rows.add(values);
      }
    }
    return rows;
  }

  private static List<Field> readSchema(byte[] message) throws IOException {
    return MessageSerializer.deserializeSchema(
            new ReadChannel(Channels.newChannel(new ByteArrayInputStream(message))))
        .getFields();
  }
}
