package io.fulmar.server.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fulmar.catalog.registry.CatalogSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigLoaderTest {
  @TempDir private Path folder;

  @Test
  void reportsAllProblemsTogether() throws IOException {
    Path file =
        write(
            """
            server: { port: many, hots: 127.0.0.1 }
            memory:
              query-limit: 12XB
            engine:
              threads: 0
              batch-rows: [1, 2]
            catalogs:
              lake: { tpye: jdbc }
              ice: { properties: { uri: x } }
            """);

    ConfigException failure =
        assertThrows(
            ConfigException.class,
            () ->
                ConfigLoader.load(
                    Optional.of(file), List.of("scan.pruning=maybe", "no-value", "scan.prunin=1")));

    List<String> problems = failure.problems();
    assertEquals(
        List.of(
            file + ":6: engine.batch-rows has a list, expected one value",
            "--set no-value: expected key=value",
            file + ":1: server.port is 'many', which is not a whole number",
            file + ":1: Unknown setting server.hots. Did you mean server.host?",
            file + ":3: memory.query-limit is '12XB', which is not a size such as 256MB",
            file + ":5: engine.threads is '0', which is outside 1 to 1024",
            file + ":8: Unknown setting catalogs.lake.tpye. Did you mean type?",
            "--set scan.pruning=maybe: scan.pruning is 'maybe', which is neither true nor false",
            "--set scan.prunin=1: Unknown setting scan.prunin. Did you mean scan.pruning?",
            file + ":8: catalogs.lake.type is missing: jdbc, rest, hadoop, in-memory or a class",
            file + ":9: catalogs.ice.type is missing: jdbc, rest, hadoop, in-memory or a class"),
        problems);
  }

  @Test
  void readsGroupsAndCatalogs() throws IOException {
    Path file =
        write(
            """
            server: { host: 127.0.0.1, port: 4711 }
            memory: { query-limit: 256MB }
            scan: { delete-form: merge, split-size: 64KB, pruning: false }
            catalogs:
              golden:
                type: jdbc
                properties: { uri: "jdbc:sqlite:/data/golden.db", warehouse: "file:///data", s3.endpoint: x }
                path-mapping: { "s3://fixtures/": "/data/fixtures/" }
            """);

    ServerConfig config = ConfigLoader.load(Optional.of(file), List.of("server.port=4712"));

    assertEquals(4712, config.values().value(Settings.SERVER_PORT));
    assertEquals(DataSize.ofMegabytes(256), config.values().value(Settings.MEMORY_QUERY_LIMIT));
    assertEquals(DeleteForm.MERGE, config.values().value(Settings.SCAN_DELETE_FORM));
    assertEquals(false, config.values().value(Settings.SCAN_PRUNING));
    assertEquals(
        List.of(
            new CatalogSettings(
                "golden",
                "jdbc",
                Map.of(
                    "uri", "jdbc:sqlite:/data/golden.db",
                    "warehouse", "file:///data",
                    "s3.endpoint", "x"),
                Map.of("s3://fixtures/", "/data/fixtures/"))),
        config.catalogs());
  }

  @Test
  void setReachesCatalogs() {
    ServerConfig config =
        ConfigLoader.load(
            Optional.empty(),
            List.of(
                "catalogs.m.type=in-memory",
                "catalogs.m.properties.io.threads=4",
                "catalogs.m.path-mapping.s3://a/=/b/"));

    assertEquals(
        List.of(
            new CatalogSettings(
                "m", "in-memory", Map.of("io.threads", "4"), Map.of("s3://a/", "/b/"))),
        config.catalogs());
  }

  @Test
  void servesAnEmbeddedCatalogByDefault() {
    ServerConfig config = ConfigLoader.load(Optional.empty(), List.of("server.home=" + folder));

    CatalogSettings lake = config.catalogs().get(0);
    assertEquals("lake", lake.name());
    assertEquals("jdbc", lake.type());
    assertEquals("jdbc:sqlite:" + folder + "/lake.db", lake.properties().get("uri"));
    assertEquals("file:" + folder + "/warehouse", lake.properties().get("warehouse"));
    assertEquals(folder.resolve("spill"), config.values().value(Settings.SPILL_DIRECTORY));
  }

  @Test
  void namesTheLineOfBrokenYaml() throws IOException {
    Path file = write("server:\n  port: 1\n port: 2\n");

    ConfigException failure =
        assertThrows(ConfigException.class, () -> ConfigLoader.load(Optional.of(file), List.of()));

    assertTrue(failure.problems().get(0).startsWith(file + ":3: "), failure.getMessage());
  }

  @Test
  void refusesAKeyThatStandsTwice() throws IOException {
    Path file = write("server: { port: 1, port: 2 }\n");

    ConfigException failure =
        assertThrows(ConfigException.class, () -> ConfigLoader.load(Optional.of(file), List.of()));

    assertTrue(failure.getMessage().contains("Duplicate field 'port'"), failure.getMessage());
  }

  @Test
  void refusesToServeTheWorldUnlessTold() {
    ConfigException failure =
        assertThrows(
            ConfigException.class,
            () -> ConfigLoader.load(Optional.empty(), List.of("server.host=0.0.0.0")));
    ServerConfig told =
        ConfigLoader.load(
            Optional.empty(), List.of("server.host=0.0.0.0", "server.open-access=true"));

    assertTrue(failure.getMessage().contains("server.open-access=true"), failure.getMessage());
    assertEquals("0.0.0.0", told.values().value(Settings.SERVER_HOST));
  }

  @Test
  void refusesAProcessLimitThatTheHeapAloneFills() {
    ConfigException failure =
        assertThrows(
            ConfigException.class,
            () -> ConfigLoader.load(Optional.empty(), List.of("memory.process-limit=256MB")));

    assertTrue(failure.getMessage().contains("MB for the engine after"), failure.getMessage());
  }

  @Test
  void refusesAQueryLimitAboveTheEnginesShare() {
    ConfigException failure =
        assertThrows(
            ConfigException.class,
            () ->
                ConfigLoader.load(
                    Optional.empty(),
                    List.of("memory.process-limit=4GB", "memory.query-limit=3.9GB")));

    assertTrue(failure.getMessage().contains("memory.query-limit is"), failure.getMessage());
  }

  private Path write(String yaml) throws IOException {
    return Files.writeString(folder.resolve("fulmar.yaml"), yaml);
  }
}
