package io.fulmar.catalog.registry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CatalogRegistryTest {
  private static final Schema SCHEMA =
      new Schema(Types.NestedField.required(1, "id", Types.LongType.get()));

  @TempDir private Path folder;

  @Test
  void sqliteStartsFromNothing() {
    try (CatalogRegistry registry = CatalogRegistry.open(List.of(sqlite("lake")))) {
      IcebergCatalog catalog = registry.require("lake");
      catalog.createNamespace(Namespace.of("db"), Map.of());
      create(catalog, "db", "t");
    }

    try (CatalogRegistry registry = CatalogRegistry.open(List.of(sqlite("lake")))) {
      IcebergCatalog catalog = registry.require("lake");
      assertEquals(List.of(TableIdentifier.of("db", "t")), catalog.tables(Namespace.of("db")));
      assertEquals(
          SCHEMA.asStruct(),
          catalog.load(TableIdentifier.of("db", "t")).metadata().schema().asStruct());
    }
  }

  @Test
  void catalogsAreFoundByNameAndByCase() {
    List<CatalogSettings> settings = List.of(memory("a"), memory("B"), memory("c"), memory("C"));
    try (CatalogRegistry registry = CatalogRegistry.open(settings)) {
      assertEquals(List.of("a", "B", "c", "C"), registry.names());
      assertEquals("B", registry.require("b").name());
      assertEquals("c", registry.require("c").name());
      assertTrue(registry.find("d").isEmpty());
      assertCode(ErrorCode.UNKNOWN_CATALOG, () -> registry.require("d"));
    }
    try (CatalogRegistry registry = CatalogRegistry.open(List.of(memory("xy"), memory("XY")))) {
      assertCode(ErrorCode.AMBIGUOUS_NAME, () -> registry.require("Xy"));
    }
  }

  @Test
  void namespaceNamesAreNoPatterns() {
    try (CatalogRegistry registry = CatalogRegistry.open(List.of(sqlite("lake")))) {
      IcebergCatalog catalog = registry.require("lake");
      for (String name : List.of("a_b", "a%", "it's", "say \"x\"", "axb")) {
        catalog.createNamespace(Namespace.of(name), Map.of());
        create(catalog, name, "t");
      }
      catalog.createNamespace(Namespace.of("a_b", "c"), Map.of());

      assertEquals(List.of(Namespace.of("a_b", "c")), catalog.namespaces(Namespace.of("a_b")));
      assertEquals(List.of(), catalog.namespaces(Namespace.of("axb")));
      assertEquals(1, catalog.tables(Namespace.of("a%")).size());
      assertFalse(catalog.namespaceExists(Namespace.of("a")));
      assertFalse(catalog.namespaceExists(Namespace.of("a__")));
      assertTrue(catalog.find(TableIdentifier.of("it's", "t")).isPresent());
      assertCode(
          ErrorCode.INVALID_ARGUMENT, () -> catalog.createNamespace(Namespace.of("a.b"), Map.of()));
    }
  }

  @Test
  void namespacesNestAndDropWhenEmpty() {
    try (CatalogRegistry registry = CatalogRegistry.open(List.of(sqlite("lake")))) {
      IcebergCatalog catalog = registry.require("lake");
      catalog.createNamespace(Namespace.of("a"), Map.of());
      catalog.createNamespace(Namespace.of("a", "b"), Map.of());
      catalog.createNamespace(Namespace.of("a", "b", "c"), Map.of());

      assertEquals(
          List.of(Namespace.of("a"), Namespace.of("a", "b"), Namespace.of("a", "b", "c")),
          catalog.namespaces());
      assertCode(
          ErrorCode.DUPLICATE_SCHEMA, () -> catalog.createNamespace(Namespace.of("a"), Map.of()));
      assertCode(ErrorCode.SCHEMA_NOT_EMPTY, () -> catalog.dropNamespace(Namespace.of("a", "b")));
      catalog.dropNamespace(Namespace.of("a", "b", "c"));
      catalog.dropNamespace(Namespace.of("a", "b"));
      assertCode(ErrorCode.UNKNOWN_SCHEMA, () -> catalog.dropNamespace(Namespace.of("a", "b")));
      assertCode(ErrorCode.UNKNOWN_SCHEMA, () -> catalog.tables(Namespace.of("z")));
    }
  }

  @Test
  void tablesAreFoundByCaseOnlyWhereNoneIsExact() {
    try (CatalogRegistry registry = CatalogRegistry.open(List.of(memory("m")))) {
      IcebergCatalog catalog = registry.require("m");
      catalog.createNamespace(Namespace.of("Db"), Map.of());
      create(catalog, "Db", "Orders");
      create(catalog, "Db", "t");
      create(catalog, "Db", "T");

      assertEquals(
          TableIdentifier.of("Db", "Orders"),
          catalog.findIgnoringCase(TableIdentifier.of("DB", "ORDERS")).orElseThrow().identifier());
      assertEquals(
          TableIdentifier.of("Db", "T"),
          catalog.findIgnoringCase(TableIdentifier.of("Db", "T")).orElseThrow().identifier());
      assertTrue(catalog.find(TableIdentifier.of("Db", "orders")).isEmpty());
      assertTrue(catalog.findIgnoringCase(TableIdentifier.of("none", "t")).isEmpty());
      assertCode(ErrorCode.UNKNOWN_TABLE, () -> catalog.load(TableIdentifier.of("Db", "x")));
    }
    try (CatalogRegistry registry = CatalogRegistry.open(List.of(memory("m")))) {
      IcebergCatalog catalog = registry.require("m");
      catalog.createNamespace(Namespace.of("db"), Map.of());
      create(catalog, "db", "aB");
      create(catalog, "db", "Ab");
      assertCode(
          ErrorCode.AMBIGUOUS_NAME, () -> catalog.findIgnoringCase(TableIdentifier.of("db", "ab")));
    }
  }

  @Test
  void loadsAreFreshAfterCommitsAndReplacement() {
    try (CatalogRegistry registry = CatalogRegistry.open(List.of(memory("m")))) {
      IcebergCatalog catalog = registry.require("m");
      catalog.createNamespace(Namespace.of("db"), Map.of());
      Table table = create(catalog, "db", "t");
      TableIdentifier identifier = TableIdentifier.of("db", "t");
      String before = catalog.load(identifier).metadata().uuid();

      table.updateProperties().set("k", "v").commit();
      assertEquals("v", catalog.load(identifier).metadata().property("k", ""));

      catalog.icebergCatalog().dropTable(identifier);
      assertTrue(catalog.find(identifier).isEmpty());
      create(catalog, "db", "t");
      assertFalse(before.equals(catalog.load(identifier).metadata().uuid()));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"jdbc", "in-memory", "hadoop"})
  void tablesRegisterThroughAMapping(String type) throws IOException {
    Path store = Files.createDirectories(folder.resolve("a b#c?d%20e+f"));
    String metadata = "s3://bucket/odd%20#?+/v1.metadata.json";
    write(Files.createDirectories(store.resolve("odd%20#?+")).resolve("v1.metadata.json"), "{}");
    String json = metadataJson("s3://bucket/odd%20#?+");
    Files.writeString(store.resolve("odd%20#?+/v1.metadata.json"), json);

    CatalogSettings settings = mapped(type, store);
    try (CatalogRegistry registry = CatalogRegistry.open(List.of(settings))) {
      IcebergCatalog catalog = registry.require("c");
      catalog.createNamespace(Namespace.of("db"), Map.of());
      LoadedTable table = catalog.registerTable(TableIdentifier.of("db", "t"), metadata);
      assertEquals("s3://bucket/odd%20#?+", table.metadata().location());
      assertEquals(
          "file:" + store + "/odd%20#?+/data/x//y.parquet",
          table.location().map("s3://bucket/odd%20#?+/data/x//y.parquet"));
      assertCode(
          ErrorCode.DUPLICATE_TABLE,
          () -> catalog.registerTable(TableIdentifier.of("db", "t"), metadata));
      assertCode(
          ErrorCode.UNKNOWN_SCHEMA,
          () -> catalog.registerTable(TableIdentifier.of("no", "t"), metadata));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1.gz.metadata.json", "v1.metadata.json.gz"})
  void compressedMetadataIsReadUnderBothNames(String name) throws IOException {
    try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(folder.resolve(name)))) {
      out.write(metadataJson(folder.toString()).getBytes(StandardCharsets.UTF_8));
    }
    register(folder.resolve(name).toString());
  }

  @Test
  void unusableMetadataIsRefusedAtOnce() throws IOException {
    Path file = folder.resolve("v1.metadata.json");
    assertCode(ErrorCode.FILE_NOT_FOUND, () -> register(file.toString()));

    write(file, "{ not json");
    assertCode(ErrorCode.INVALID_METADATA, () -> register(file.toString()));

    write(file, metadataJson("/x").replace("\"format-version\" : 2", "\"format-version\" : 4"));
    assertCode(ErrorCode.UNSUPPORTED_TABLE, () -> register(file.toString()));

    write(file, metadataJson("/x").replace("\"format-version\" : 2", "\"format-version\" : 9"));
    assertCode(ErrorCode.UNSUPPORTED_TABLE, () -> register(file.toString()));

    String keys =
        "\"format-version\" : 3,\"next-row-id\":0,\"encryption-keys\":"
            + "[{\"key-id\":\"k\",\"encrypted-key-metadata\":\"AAAA\"}]";
    write(file, metadataJson("/x").replace("\"format-version\" : 2", keys));
    assertCode(ErrorCode.UNSUPPORTED_TABLE, () -> register(file.toString()));
  }

  @Test
  void metadataThatBreaksLaterIsNamedWithoutRetries() throws IOException {
    Path file = folder.resolve("v1.metadata.json");
    write(file, metadataJson(folder.toString()));
    try (CatalogRegistry registry = CatalogRegistry.open(List.of(sqlite("lake")))) {
      registry.require("lake").createNamespace(Namespace.of("db"), Map.of());
      registry.require("lake").registerTable(TableIdentifier.of("db", "t"), file.toString());
    }

    write(file, "{}");
    try (CatalogRegistry registry = CatalogRegistry.open(List.of(sqlite("lake")))) {
      IcebergCatalog catalog = registry.require("lake");
      FulmarException broken =
          assertTimeout(
              Duration.ofSeconds(10),
              () ->
                  assertThrows(
                      FulmarException.class, () -> catalog.load(TableIdentifier.of("db", "t"))));
      assertEquals(ErrorCode.INVALID_METADATA, broken.code());
      assertTrue(broken.getMessage().contains(file.toString()), broken.getMessage());

      Files.delete(file);
      assertCode(ErrorCode.FILE_NOT_FOUND, () -> catalog.load(TableIdentifier.of("db", "t")));
    }
  }

  @Test
  void aCatalogInMemoryNeedsNoSettings() {
    CatalogSettings settings = new CatalogSettings("m", "in-memory", Map.of(), Map.of());
    Path warehouse;
    try (CatalogRegistry registry = CatalogRegistry.open(List.of(settings))) {
      IcebergCatalog catalog = registry.require("m");
      catalog.createNamespace(Namespace.of("db"), Map.of());
      Table table = create(catalog, "db", "t");
      warehouse = Path.of(table.location().substring("file:".length()));
      assertTrue(Files.isDirectory(warehouse));
    }
    assertFalse(Files.exists(warehouse));
  }

  @Test
  void settingsThatCannotWorkAreNamed() {
    assertCode(
        ErrorCode.INVALID_SETTING, open(new CatalogSettings("c", "oracle", Map.of(), Map.of())));
    assertCode(
        ErrorCode.INVALID_SETTING, open(new CatalogSettings("c", "jdbc", Map.of(), Map.of())));
    assertCode(
        ErrorCode.INVALID_SETTING, open(new CatalogSettings("c", "hadoop", Map.of(), Map.of())));
    assertCode(
        ErrorCode.INVALID_SETTING,
        open(new CatalogSettings("c", "no.such.Catalog", Map.of(), Map.of())));
    assertCode(
        ErrorCode.INVALID_SETTING, () -> CatalogRegistry.open(List.of(memory("a"), memory("a"))));
  }

  private static Executable open(CatalogSettings settings) {
    return () -> CatalogRegistry.open(List.of(settings));
  }

  private void register(String metadata) {
    try (CatalogRegistry registry = CatalogRegistry.open(List.of(memory("m")))) {
      registry.require("m").createNamespace(Namespace.of("db"), Map.of());
      registry.require("m").registerTable(TableIdentifier.of("db", "t"), metadata);
    }
  }

  private String metadataJson(String location) {
    try (CatalogRegistry registry = CatalogRegistry.open(List.of(memory("json")))) {
      IcebergCatalog catalog = registry.require("json");
      catalog.createNamespace(Namespace.of("db"), Map.of());
      BaseTable table = (BaseTable) create(catalog, "db", "t");
      String json = TableMetadataParser.toJson(table.operations().current());
      String own = table.location();
      return json.replace("\"" + own + "\"", "\"" + location + "\"")
          .replace("\"format-version\":", "\"format-version\" : ");
    }
  }

  private static Table create(IcebergCatalog catalog, String namespace, String name) {
    return catalog.icebergCatalog().createTable(TableIdentifier.of(namespace, name), SCHEMA);
  }

  private static void write(Path file, String text) throws IOException {
    Files.writeString(file, text);
  }

  private CatalogSettings memory(String name) {
    return new CatalogSettings(
        name, "in-memory", Map.of("warehouse", folder.resolve("w").toString()), Map.of());
  }

  private CatalogSettings sqlite(String name) {
    Path database = folder.resolve("new/folder/catalog.db");
    return new CatalogSettings(
        name,
        "jdbc",
        Map.of("uri", "jdbc:sqlite:" + database, "warehouse", folder.resolve("w").toString()),
        Map.of());
  }

  private CatalogSettings mapped(String type, Path store) {
    return new CatalogSettings(
        "c",
        type,
        Map.of(
            "uri",
            "jdbc:sqlite:" + folder.resolve("c.db"),
            "warehouse",
            folder.resolve("mapped").toString()),
        Map.of("s3://bucket/", store.toString(), "s3a://bucket/", store + "/"));
  }

  private static void assertCode(ErrorCode code, Executable action) {
    FulmarException error = assertThrows(FulmarException.class, action);
    assertEquals(code, error.code(), error.getMessage());
  }
}
