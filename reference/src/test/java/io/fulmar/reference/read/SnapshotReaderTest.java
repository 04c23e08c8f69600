package io.fulmar.reference.read;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fulmar.catalog.host.BatchReader;
import io.fulmar.catalog.metadata.TableResolver;
import io.fulmar.catalog.metadata.TableSnapshot;
import io.fulmar.catalog.metadata.VersionSelector;
import io.fulmar.catalog.registry.CatalogRegistry;
import io.fulmar.catalog.registry.CatalogSettings;
import io.fulmar.planner.backend.TableRead;
import io.fulmar.planner.type.FulmarTypeFactory;
import io.fulmar.planner.type.SqlTypes;
import io.fulmar.planner.validate.TableColumn;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Whole tables of golden cases, as Flink and Iceberg wrote them, give the rows that are right. */
class SnapshotReaderTest {
  private static final Pattern WHOLE = Pattern.compile("SELECT \\* FROM (\\w+)");
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Set<String> CASES =
      new TreeSet<>(
          Set.of(
              "F01-c017-upsert-same-key-thrice",
              "F02-c003-partitioned-upsert",
              "F04-c114-all-types-composite-key",
              "F05-c004-orc-upsert",
              "F06-c022-avro-upsert",
              "F07-c018-partition-move",
              "F09-c007-null-keys",
              "F10-r13-v3-upsert",
              "F11-c022-mixed-formats",
              "F12-c010-key-renamed-widened",
              "F13-c002-upsert-spec-change",
              "C005",
              "C010",
              "C012",
              "C013",
              "C038",
              "C049",
              "C071",
              "C075",
              "C090"));

  private static Path folder;
  private static CatalogRegistry registry;
  private static BufferAllocator allocator;

  @BeforeAll
  static void unpack() throws IOException {
    folder = GoldenFolder.unpack(CASES);
    registry =
        CatalogRegistry.open(
            List.of(
                new CatalogSettings(
                    "golden", "in-memory", Map.of(), Map.of("s3://fixtures/", folder + "/"))));
    allocator = new RootAllocator();
  }

  @AfterAll
  static void close() {
    allocator.close();
    registry.close();
  }

  @TestFactory
  List<DynamicTest> wholeTables() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (String name : CASES) {
      JsonNode golden = JSON.readTree(folder.resolve(name).resolve("case.json").toFile());
      for (JsonNode check : golden.get("checks")) {
        Matcher whole = WHOLE.matcher(check.get("sql").asText());
        if (whole.matches() && check.has("rows")) {
          String table = whole.group(1);
          String metadata = golden.get("tables").get(table).get("metadata").asText();
          tests.add(
              DynamicTest.dynamicTest(
                  name + " " + table, () -> check(name + "_" + table, metadata, check)));
        }
      }
    }
    return tests;
  }

  private static void check(String name, String metadata, JsonNode check) {
    TableIdentifier identifier = TableIdentifier.of(Namespace.empty(), name);
    TableSnapshot table =
        TableResolver.pin(
            registry.require("golden").registerTable(identifier, metadata),
            new VersionSelector.Current());
    TableRead read = new TableRead(table, columns(table), 100);
    List<String> wanted = new ArrayList<>();
    List<String> got = new ArrayList<>();
    try (BatchReader reader = new SnapshotReader(1_000_000).read(read, allocator)) {
      check.get("rows").forEach(row -> wanted.add(expected(reader, row)));
      while (reader.next()) {
        for (int row = 0; row < reader.root().getRowCount(); row++) {
          got.add(actual(reader, row));
        }
      }
    }
    Collections.sort(wanted);
    Collections.sort(got);
    assertEquals(String.join("\n", wanted), String.join("\n", got));
  }

  private static List<TableColumn> columns(TableSnapshot table) {
    FulmarTypeFactory types = new FulmarTypeFactory();
    return table.schema().columns().stream()
        .map(
            field ->
                new TableColumn(
                    field.name(),
                    SqlTypes.fromIceberg(types, field.type(), SqlTypes.Nullability.NULLABLE),
                    new TableColumn.SchemaField(field.fieldId())))
        .toList();
  }

  private static String expected(BatchReader reader, JsonNode row) {
    List<String> cells = new ArrayList<>();
    List<FieldVector> vectors = reader.root().getFieldVectors();
    for (int i = 0; i < vectors.size(); i++) {
      cells.add(GoldenText.of(vectors.get(i), row.get(i)));
    }
    return cells.toString();
  }

  private static String actual(BatchReader reader, int row) {
    return reader.root().getFieldVectors().stream()
        .map(vector -> GoldenText.of(vector, row))
        .toList()
        .toString();
  }
}
