package io.fulmar.it.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fulmar.it.client.JdbcClient;
import io.fulmar.it.client.SqlFailure;
import io.fulmar.it.server.ServerProcess;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who passes a limit gets an error that names its setting, and the server goes on. */
class LimitsTest {
  private static final int SESSIONS = 8;
  private static final int STATEMENTS = 3;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final String CATALOGS = "catalogs: { mem: { type: in-memory } }\n";

  /** Ten rows; a cross join of n of them has 10^n. */
  private static final String TEN =
      "(VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)) AS %s (x)";

  @TempDir private static Path folder;
  private static ServerProcess server;

  @BeforeAll
  static void start() {
    server =
        ServerProcess.start(
            folder,
            CATALOGS,
            List.of(
                "query.max-concurrent=1",
                "query.max-queued=1",
                "query.max-text-size=4KB",
                "sessions.max-statements=" + STATEMENTS,
                "results.slow-reader-timeout=8s"));
  }

  @AfterEach
  void goesOn() {
    try (JdbcClient client = connect()) {
      Instant limit = Instant.now().plus(PATIENCE);
      while (true) {
        try {
          assertEquals("1", client.query("SELECT 1").rows().get(0).get(0).toString());
          return;
        } catch (SqlFailure busy) {
          assertTrue(Instant.now().isBefore(limit), busy::getMessage);
        }
      }
    }
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void longTexts() {
    try (JdbcClient client = connect()) {
      String sql = "SELECT " + String.join(" + ", Collections.nCopies(3_000, "1"));
      refused(client, sql, "query.max-text-size");
    }
  }

  @Test
  void sessions(@TempDir Path own) {
    List<JdbcClient> open = new ArrayList<>();
    try (ServerProcess small =
        ServerProcess.start(own, CATALOGS, List.of("sessions.max=" + SESSIONS))) {
      SqlFailure failure =
          assertThrows(
              SqlFailure.class,
              () -> {
                while (open.size() <= SESSIONS) {
                  open.add(JdbcClient.connect(small.port(), "user" + open.size()));
                }
              });
      assertTrue(failure.getMessage().contains("sessions.max"), failure::getMessage);
      assertEquals(SESSIONS, open.size());
      open.forEach(JdbcClient::close);
    }
  }

  @Test
  void preparedStatements() throws SQLException {
    try (JdbcClient client = connect()) {
      List<PreparedStatement> open = new ArrayList<>();
      SQLException failure =
          assertThrows(
              SQLException.class,
              () -> {
                while (open.size() <= STATEMENTS) {
                  open.add(client.connection().prepareStatement("SELECT " + open.size()));
                }
              });
      assertTrue(chain(failure).contains("sessions.max-statements"), () -> chain(failure));
      assertEquals(STATEMENTS, open.size());
      open.remove(0).close();
      client.connection().prepareStatement("SELECT 4").close();
      for (PreparedStatement statement : open) {
        statement.close();
      }
    }
  }

  @Test
  void theQueue() throws Exception {
    try (JdbcClient first = connect();
        JdbcClient second = connect();
        JdbcClient third = connect();
        Statement running = first.connection().createStatement()) {
      first.update("SET query.timeout = '20s'");
      try (ResultSet rows = running.executeQuery("SELECT a.x FROM " + rows(8))) {
        assertTrue(rows.next());
        second.update("SET query.queue-timeout = '2s'");
        Thread waiting = new Thread(() -> refused(second, "SELECT 1", "query.queue-timeout"));
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        waiting.setUncaughtExceptionHandler((thread, failure) -> failures.add(failure));
        waiting.start();
        Thread.sleep(1_000);
        refused(third, "SELECT 1", "query.max-queued");
        waiting.join();
        assertEquals(List.of(), failures);
      }
    }
  }

  @Test
  void slowReaders() throws Exception {
    try (JdbcClient client = connect();
        Statement statement = client.connection().createStatement();
        ResultSet rows = statement.executeQuery("SELECT a.x, b.x, c.x, d.x FROM " + rows(8))) {
      assertTrue(rows.next());
      Thread.sleep(12_000);
      Exception failure =
          assertThrows(
              Exception.class,
              () -> {
                while (rows.next()) {
                  rows.getInt(1);
                }
              });
      assertTrue(chain(failure).contains("results.slow-reader-timeout"), () -> chain(failure));
    }
  }

  @Test
  void time() {
    try (JdbcClient client = connect()) {
      client.update("SET query.timeout = '2s'");
      refused(client, "SELECT sum(sqrt(a.x * b.x + c.x)) FROM " + rows(11), "query.timeout");
    }
  }

  @Test
  void memory() {
    try (JdbcClient client = connect()) {
      client.update("SET memory.query-limit = '32MB'");
      refused(
          client,
          "SELECT cardinality(array_agg(CAST(a.x AS BIGINT) * 1000000000 + b.x)) FROM " + rows(8),
          "memory.query-limit");
    }
  }

  @Test
  void spillSpace() {
    try (JdbcClient client = connect()) {
      client.update("SET memory.query-limit = '32MB'");
      client.update("SET spill.query-limit = '1MB'");
      refused(
          client,
          "SELECT max(k) FROM (SELECT k, row_number() OVER (ORDER BY k DESC) AS n FROM ("
              + "SELECT cast(sqrt(a.x + 10 * b.x + 100 * c.x + 1000 * d.x + 10000 * e.x"
              + " + 100000 * f.x + 1000000 * g.x) AS VARCHAR) AS k FROM "
              + rows(7)
              + ")) WHERE n > 5",
          "spill.query-limit");
    }
  }

  private static JdbcClient connect() {
    return JdbcClient.connect(server.port(), "limits");
  }

  private static String rows(int tens) {
    List<String> tables = new ArrayList<>();
    for (int i = 0; i < tens; i++) {
      tables.add(TEN.formatted((char) ('a' + i)));
    }
    return String.join(" CROSS JOIN ", tables);
  }

  private static void refused(JdbcClient client, String sql, String setting) {
    SqlFailure failure = assertThrows(SqlFailure.class, () -> client.query(sql));
    assertTrue(failure.getMessage().contains(setting), failure::getMessage);
  }

  private static String chain(Throwable failure) {
    StringBuilder text = new StringBuilder();
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      text.append(cause).append('\n');
    }
    return text.toString();
  }
}
