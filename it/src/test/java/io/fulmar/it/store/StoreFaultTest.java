package io.fulmar.it.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fulmar.it.client.JdbcClient;
import io.fulmar.it.client.SqlFailure;
import io.fulmar.it.golden.GoldenFixtures;
import io.fulmar.it.golden.GoldenSample;
import io.fulmar.it.server.ServerProcess;
import io.fulmar.it.store.FlakyStore.Fault;
import io.fulmar.it.store.FlakyStore.Plan;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A store that is busy, ends answers early or stalls: the right rows, or an error that says so. */
class StoreFaultTest {
  private static final List<String> CASES = List.of("C001", "C046");
  private static final GoldenSample SAMPLE = GoldenSample.of(CASES);
  private static final String ROWS = "SELECT * FROM golden.\"C001\".t";
  private static final Plan SOUND = new Plan(Fault.NONE, 0, "");
  private static final Duration PATIENCE = Duration.ofSeconds(40);

  @TempDir private static Path folder;
  private static S3Store store;
  private static FlakyStore flaky;
  private static ServerProcess server;

  @BeforeAll
  static void start() throws IOException {
    store = S3Store.start(S3Store.Access.ANYONE, GoldenFixtures.folder(), CASES);
    flaky = FlakyStore.open(store);
    String hasty =
        """
              http-client.apache.socket-timeout-ms: "1000"
              s3.retry.num-retries: "4"
              s3.retry.min-wait-ms: "50"
              s3.retry.max-wait-ms: "500"
        """;
    server =
        ServerProcess.start(
            folder, ObjectStoreTest.catalogs(folder, flaky.endpoint()) + hasty, List.of());
    try (JdbcClient client = JdbcClient.connect(server.port(), "store")) {
      SAMPLE.register(client, "golden");
    }
  }

  @AfterAll
  static void stop() {
    server.close();
    flaky.close();
    store.close();
  }

  @AfterEach
  void serverLivesAndHoldsNothing() {
    flaky.follow(SOUND);
    assertTrue(server.isAlive());
    try (JdbcClient client = JdbcClient.connect(server.port(), "after")) {
      assertEquals(5, client.query(ROWS).rows().size());
      assertEquals(
          List.of(List.of(1L)),
          client
              .query("SELECT count(*) FROM system.runtime.queries WHERE state = 'RUNNING'")
              .rows());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"native", "reference"})
  void busyStoreIsAskedAgain(String backend) {
    flaky.follow(new Plan(Fault.BUSY, 5, ""));
    assertEquals("", String.join("\n", problems(backend)));
    assertTrue(flaky.faults() > 5, () -> flaky.faults() + " faults");
  }

  @ParameterizedTest
  @ValueSource(strings = {"native", "reference"})
  void answersThatEndEarly(String backend) {
    flaky.follow(new Plan(Fault.CUT, 5, ""));
    List<String> wrong =
        problems(backend).stream()
            .filter(text -> !text.contains("STORAGE_FAILED") || !text.contains("s3://fixtures/"))
            .toList();
    assertEquals("", String.join("\n", wrong));
    assertTrue(flaky.faults() > 5, () -> flaky.faults() + " faults");
  }

  @ParameterizedTest
  @ValueSource(strings = {"native", "reference"})
  void storeThatNeverAnswersForOneFile(String backend) {
    for (Fault fault : List.of(Fault.BUSY, Fault.CUT, Fault.STALL)) {
      flaky.follow(new Plan(fault, 100, "C001/t/data/p=0/data"));
      Instant before = Instant.now();
      SqlFailure failure = assertThrows(SqlFailure.class, () -> read(backend));
      assertTrue(failure.getMessage().contains("STORAGE_FAILED"), failure.getMessage());
      assertTrue(
          failure.getMessage().contains("s3://fixtures/C001/t/data/p=0/data"),
          failure.getMessage());
      Duration took = Duration.between(before, Instant.now());
      assertTrue(took.compareTo(PATIENCE) < 0, () -> fault + " took " + took);
    }
  }

  @Test
  void timeLimitEndsAStall() {
    flaky.follow(new Plan(Fault.STALL, 100, "C001/t/data"));
    try (JdbcClient client = JdbcClient.connect(server.port(), "store")) {
      client.update("SET query.timeout = '1s'");
      Instant before = Instant.now();
      SqlFailure failure = assertThrows(SqlFailure.class, () -> client.query(ROWS));
      assertTrue(failure.getMessage().contains("query.timeout"), failure.getMessage());
      assertTrue(Duration.between(before, Instant.now()).toSeconds() < 5);
    }
  }

  private static List<String> problems(String backend) {
    try (JdbcClient client = JdbcClient.connect(server.port(), "store")) {
      client.update("SET engine.backend = '" + backend + "'");
      return SAMPLE.problems(client, "golden");
    }
  }

  private static void read(String backend) {
    try (JdbcClient client = JdbcClient.connect(server.port(), "store")) {
      client.update("SET engine.backend = '" + backend + "'");
      client.query(ROWS);
    }
  }
}
