package io.fulmar.it.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fulmar.it.client.JdbcClient;
import io.fulmar.it.golden.GoldenFixtures;
import io.fulmar.it.golden.GoldenSample;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that does not find its native library says so and answers rightly all the same. */
class NativeLibraryMissingTest {
  private static final GoldenSample SAMPLE =
      GoldenSample.of(List.of("C001", "C046", "F05-c004-orc-upsert"));

  @Test
  void referenceBackendAnswers(@TempDir Path folder) {
    String catalogs =
        "catalogs: { golden: { type: in-memory, path-mapping: { \"s3://fixtures/\": \"%s/\" } } }"
            .formatted(GoldenFixtures.folder());
    try (ServerProcess server = ServerProcess.startWithoutLibrary(folder, catalogs);
        JdbcClient client = JdbcClient.connect(server.port(), "fallback")) {
      SAMPLE.register(client, "golden");
      assertEquals("", String.join("\n", SAMPLE.problems(client, "golden")));
      assertTrue(server.log().contains("run on the reference backend"), server::log);
      String plan = client.query("EXPLAIN PHYSICAL SELECT 1").rows().toString();
      assertTrue(plan.contains("Reference backend"), plan);
    }
  }
}
