package io.fulmar.it.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fulmar.it.client.JdbcClient;
import io.fulmar.it.client.PythonEnvironment;
import io.fulmar.it.client.QueryResult;
import io.fulmar.it.demo.DemoServer;
import io.fulmar.it.server.ServerProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Large results reach slow clients in level memory, and a client that dies frees its query. */
class StreamTest {
  /** 600,572 line items × 34: over 20 million rows. */
  private static final String TWENTY_MILLION_ROWS =
      """
      SELECT l_orderkey, l_linenumber, l_extendedprice, l_comment, n
      FROM tpch.lineitem CROSS JOIN (SELECT n_nationkey AS n FROM tpch.nation UNION ALL
        SELECT r_regionkey + 100 FROM tpch.region UNION ALL SELECT n_nationkey + 200 FROM tpch.nation WHERE n_nationkey < 4) m""";

  private static final long ROWS = 600_572L * 34;
  private static final long ALLOWED_GROWTH_BYTES = 32L << 20;

  @Test
  @Timeout(value = 6, unit = TimeUnit.MINUTES)
  void aSlowClientGetsAllRowsInLevelMemory() throws IOException, InterruptedException {
    ServerProcess server = DemoServer.shared();
    Process client = slowClient(server, "slow", "0.02");
    try (BufferedReader progress = client.inputReader(StandardCharsets.UTF_8)) {
      Instant start = Instant.now();
      long afterTenSeconds = 0;
      long peak = 0;
      long rows = 0;
      String line = progress.readLine();
      while (line != null && !line.equals("done")) {
        rows = Long.parseLong(line);
        if (Duration.between(start, Instant.now()).toSeconds() >= 10) {
          long resident = server.residentBytes();
          afterTenSeconds = afterTenSeconds == 0 ? resident : afterTenSeconds;
          peak = Math.max(peak, resident);
        }
        line = progress.readLine();
      }
      assertEquals("done", line);
      assertEquals(ROWS, rows);
      assertTrue(afterTenSeconds > 0, "The client was too quick to prove anything");
      long growth = peak - afterTenSeconds;
      assertTrue(
          growth <= ALLOWED_GROWTH_BYTES, () -> "Resident memory grew by " + growth + " bytes");
    } finally {
      client.destroyForcibly();
    }
  }

  @Test
  @Timeout(value = 1, unit = TimeUnit.MINUTES)
  void aKilledClientFreesItsQueryWithinASecond() throws IOException, InterruptedException {
    ServerProcess server = DemoServer.shared();
    Process client = slowClient(server, "killed", "0.2");
    try (BufferedReader progress = client.inputReader(StandardCharsets.UTF_8);
        JdbcClient watcher = DemoServer.jdbc("watcher")) {
      assertNotNull(progress.readLine());
      assertEquals("RUNNING", state(watcher, "killed"));
      client.destroyForcibly();
      client.waitFor();
      Instant limit = Instant.now().plusSeconds(1);
      while (state(watcher, "killed").equals("RUNNING") && Instant.now().isBefore(limit)) {
        Thread.sleep(20);
      }
      assertEquals("CANCELLED", state(watcher, "killed"));
    }
  }

  private static String state(JdbcClient watcher, String user) {
    QueryResult result =
        watcher.query(
            "SELECT state FROM system.runtime.queries WHERE \"user\" = '"
                + user
                + "' AND sql LIKE '%CROSS JOIN%' ORDER BY started DESC LIMIT 1");
    return result.rows().get(0).get(0).toString();
  }

  private static Process slowClient(ServerProcess server, String user, String secondsPerBatch)
      throws IOException {
    return new ProcessBuilder(
            PythonEnvironment.python().toString(),
            Path.of("src/test/python/stream_client.py").toString(),
            "grpc+tcp://127.0.0.1:" + server.port(),
            user,
            TWENTY_MILLION_ROWS,
            secondsPerBatch)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }
}
