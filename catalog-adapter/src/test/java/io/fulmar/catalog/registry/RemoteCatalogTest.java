package io.fulmar.catalog.registry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.io.SeekableInputStream;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** REST catalogs and S3 stores, against stubs on loopback. */
final class RemoteCatalogTest {
  private final StubStore stub = new StubStore();

  @AfterEach
  void close() {
    stub.close();
  }

  @Test
  void s3ObjectsAreReadUnderTheirMetadataPath() throws Exception {
    stub.put("/real/data/f.txt", "hello");
    try (MappedFileIO io = new MappedFileIO()) {
      Map<String, String> properties = new HashMap<>(s3());
      properties.putAll(PathMapping.of(Map.of("s3a://old/", "s3://real/")).toProperties());
      io.initialize(properties);
      assertEquals("s3a://old/data/f.txt", io.newInputFile("s3a://old/data/f.txt").location());
      try (SeekableInputStream in = io.newInputFile("s3a://old/data/f.txt").newStream()) {
        assertEquals("hello", new String(in.readAllBytes(), StandardCharsets.UTF_8));
      }
      assertThrows(
          NotFoundException.class, () -> io.newInputFile("s3a://old/none").newStream().read());
    }
  }

  @Test
  void restCatalogsPageAndVendCredentials() {
    stub.put("/v1/config", "{\"defaults\":{},\"overrides\":{}}");
    stub.put("/v1/namespaces/a%1Fb", "{\"namespace\":[\"a\",\"b\"],\"properties\":{}}");
    stub.put("/v1/namespaces/a%1Fb/tables?pageSize=100&pageToken=", page(0, 100, "\"next\""));
    stub.put("/v1/namespaces/a%1Fb/tables?pageSize=100&pageToken=next", page(100, 150, "null"));
    stub.put("/v1/namespaces/a%1Fb/tables/t7", table());
    stub.put("/v1/namespaces/a%1Fb/tables/t7?snapshots=all", table());

    Map<String, String> properties = new HashMap<>(s3());
    properties.put("uri", stub.address());
    properties.put("rest-page-size", "100");
    CatalogSettings settings = new CatalogSettings("rest", "rest", properties, Map.of());
    try (CatalogRegistry registry = CatalogRegistry.open(List.of(settings))) {
      IcebergCatalog catalog = registry.require("rest");
      Namespace namespace = Namespace.of("a", "b");
      assertEquals(150, catalog.tables(namespace).size(), () -> stub.requests().toString());

      LoadedTable table = catalog.load(TableIdentifier.of(namespace, "t7"));
      assertEquals("s3://real/t7", table.metadata().location());
      assertEquals("vended", table.storage().get("s3.access-key-id"));
      assertEquals(stub.address(), table.storage().get("s3.endpoint"));
      assertTrue(table.storage().keySet().stream().noneMatch(key -> key.equals("uri")));
      assertTrue(catalog.find(TableIdentifier.of(namespace, "none")).isEmpty());

      stub.put("/real/t7/m.avro", "x");
      table.io().newInputFile("s3://real/t7/m.avro").getLength();
      assertTrue(
          stub.requests().stream()
              .anyMatch(each -> each.startsWith("HEAD /real/t7/m.avro") && each.contains("vended")),
          stub.requests().toString());
    }
  }

  @Test
  void aCatalogThatIsDownIsNamedAndTriedAgain() {
    CatalogSettings gone =
        new CatalogSettings("gone", "rest", Map.of("uri", stub.address()), Map.of());
    CatalogSettings here = new CatalogSettings("here", "in-memory", Map.of(), Map.of());
    try (CatalogRegistry registry = CatalogRegistry.open(List.of(gone, here))) {
      assertEquals(List.of("gone", "here"), registry.names());
      assertEquals(
          List.of("here"), registry.catalogs().stream().map(IcebergCatalog::name).toList());
      assertEquals(List.of(), registry.require("here").namespaces());
      FulmarException error = assertThrows(FulmarException.class, () -> registry.require("gone"));
      assertEquals(ErrorCode.CATALOG_FAILED, error.code());
      assertTrue(error.getMessage().contains("gone"), error.getMessage());

      stub.put("/v1/config", "{\"defaults\":{},\"overrides\":{}}");
      assertEquals("gone", registry.require("gone").name());
      assertEquals(2, registry.catalogs().size());
    }
  }

  private Map<String, String> s3() {
    return Map.of(
        "s3.endpoint", stub.address(),
        "s3.path-style-access", "true",
        "s3.access-key-id", "fixed",
        "s3.secret-access-key", "secret",
        "client.region", "us-east-1");
  }

  private static String page(int from, int to, String next) {
    List<String> identifiers =
        IntStream.range(from, to)
            .mapToObj(number -> "{\"namespace\":[\"a\",\"b\"],\"name\":\"t" + number + "\"}")
            .toList();
    return "{\"next-page-token\":" + next + ",\"identifiers\":" + identifiers + "}";
  }

  private static String table() {
    TableMetadata metadata =
        TableMetadata.newTableMetadata(
            new Schema(Types.NestedField.optional(1, "id", Types.LongType.get())),
            PartitionSpec.unpartitioned(),
            SortOrder.unsorted(),
            "s3://real/t7",
            Map.of());
    String credentials =
        "\"s3.access-key-id\":\"vended\",\"s3.secret-access-key\":\"s\",\"s3.session-token\":\"t\"";
    return "{\"metadata-location\":\"s3://real/t7/metadata/v1.metadata.json\",\"metadata\":"
        + TableMetadataParser.toJson(metadata)
        + ",\"config\":{},\"storage-credentials\":[{\"prefix\":\"s3://real/t7\",\"config\":{"
        + credentials
        + "}}]}";
  }
}
