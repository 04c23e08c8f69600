package io.fulmar.it.golden;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fulmar.it.client.QueryResult;
import io.fulmar.it.client.SqlClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Every check of every golden case through JDBC and ADBC, in all pairs of delete form and budget,
 * threads, split size and client. {@code -Dfulmar.golden.matrix=full} takes every combination,
 * {@code -Dfulmar.golden.update=true} asks the first run of each client only and rewrites the list
 * of known failures, {@code -Dfulmar.golden.cases=C001,F} takes only cases with these beginnings,
 * {@code -Dfulmar.golden.backend=reference} asks the reference backend instead.
 */
class GoldenTest {
  /** The sum of the numbers from 1 to 1,180,000: sorts all rows of the largest golden table. */
  private static final String LARGE_SORT =
      "SELECT sum(n) AS s FROM (SELECT row_number() OVER (ORDER BY customer, order_id, status, region)"
          + " AS n FROM golden.\"F08-c019-orders-cdc\".orders) AS numbered";

  private static final String LARGE_SORT_ANSWER = "696200590000";

  private static final Path FOLDER = Path.of("target/golden-server");

  private static GoldenServer server;
  private static List<GoldenCase> cases;
  private static KnownFailures knownFailures;

  private final Map<String, String> failures = new TreeMap<>();

  @BeforeAll
  static void start() throws IOException {
    String filter = System.getProperty("fulmar.golden.cases", "");
    cases =
        GoldenFixtures.cases().stream()
            .filter(c -> List.of(filter.split(",")).stream().anyMatch(c.id()::startsWith))
            .toList();
    knownFailures = KnownFailures.load();
    server = GoldenServer.start(FOLDER);
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  @TestFactory
  List<DynamicContainer> everyRunGivesTheRightRows() {
    List<DynamicContainer> containers = new ArrayList<>();
    for (GoldenRun run : runs()) {
      containers.add(DynamicContainer.dynamicContainer(run.toString(), tests(run).stream()));
    }
    return containers;
  }

  private static List<GoldenRun> runs() {
    if (System.getProperty("fulmar.golden.backend", "native").equals("reference")) {
      return List.of(GoldenRun.reference());
    }
    if (Boolean.getBoolean("fulmar.golden.update")) {
      return List.of(
          new GoldenRun("auto", "1GB", 2, "128MB", "jdbc"),
          new GoldenRun("auto", "1GB", 2, "128MB", "adbc"));
    }
    return System.getProperty("fulmar.golden.matrix", "pairwise").equals("full")
        ? GoldenRun.full()
        : GoldenRun.pairwise();
  }

  private List<DynamicTest> tests(GoldenRun run) {
    Session session = new Session(run);
    List<DynamicTest> tests = new ArrayList<>();
    for (GoldenCase golden : cases) {
      tests.add(DynamicTest.dynamicTest(golden.id(), () -> check(golden, run, session)));
    }
    tests.add(DynamicTest.dynamicTest("the forced form ran", () -> assertForm(run, session)));
    tests.add(DynamicTest.dynamicTest("the session closes", session::close));
    return tests;
  }

  private void check(GoldenCase golden, GoldenRun run, Session session) throws IOException {
    SqlClient client = session.client();
    client.update("USE golden.\"" + golden.id() + "\"");
    GoldenChecker checker = new GoldenChecker(client);
    List<String> unexpected = new ArrayList<>();
    for (int i = 0; i < golden.checks().size(); i++) {
      Optional<String> problem = checker.problem(golden.checks().get(i));
      Optional<String> known = knownFailures.reason(golden.id(), i, run.key());
      String name = golden.id() + "#" + i + " " + run.key();
      problem.ifPresent(text -> failures.put(name, text.replaceAll("\\s+", " ")));
      if (problem.isPresent() && known.isEmpty()) {
        unexpected.add(name + ": " + golden.checks().get(i).sql() + "\n    " + problem.get());
      } else if (problem.isEmpty() && known.isPresent()) {
        unexpected.add(name + " passes and must leave the list of known failures");
      }
    }
    if (Boolean.getBoolean("fulmar.golden.update")) {
      rewriteKnownFailures();
      return;
    }
    assertTrue(unexpected.isEmpty(), () -> "\n" + String.join("\n", unexpected));
  }

  private static void assertForm(GoldenRun run, Session session) {
    QueryResult forms =
        session
            .client()
            .query(
                "SELECT count(*) AS n, sum(spilled_bytes) AS spilled FROM system.runtime.queries"
                    + " WHERE \"user\" = '"
                    + session.user()
                    + "' AND delete_forms LIKE '%"
                    + (run.deleteForm().equals("merge") ? "merge" : "set")
                    + "%'");
    long statements = Long.parseLong(forms.rows().get(0).get(0).toString());
    if (!run.deleteForm().equals("auto")) {
      assertTrue(statements > 0, () -> "No statement used the forced form: " + run);
    }
    if (run.deleteForm().equals("set")) {
      QueryResult merged =
          session
              .client()
              .query(
                  "SELECT count(*) AS n FROM system.runtime.queries WHERE \"user\" = '"
                      + session.user()
                      + "' AND delete_forms LIKE '%merge%'");
      assertEquals("0", merged.rows().get(0).get(0).toString());
    }
    if (run.queryLimit().equals("32MB")) {
      QueryResult numbered = session.client().query(LARGE_SORT);
      assertEquals(LARGE_SORT_ANSWER, numbered.rows().get(0).get(0).toString());
      QueryResult spilled =
          session
              .client()
              .query(
                  "SELECT count(*) AS n FROM system.runtime.queries WHERE spilled_bytes > 0 AND \"user\" = '"
                      + session.user()
                      + "'");
      assertTrue(
          Long.parseLong(spilled.rows().get(0).get(0).toString()) > 0,
          () -> "Nothing spilled in " + run);
    }
  }

  private synchronized void rewriteKnownFailures() throws IOException {
    StringBuilder text =
        new StringBuilder("# Golden checks that may fail, each with the reason it failed with.\n");
    failures.forEach((name, reason) -> text.append(name).append(' ').append(reason).append('\n'));
    Files.writeString(KnownFailures.FILE, text);
  }

  /** A session that opens when the run's first test asks for it. */
  private static final class Session implements AutoCloseable {
    private final GoldenRun run;
    private SqlClient client;

    private Session(GoldenRun run) {
      this.run = run;
    }

    String user() {
      return "golden-" + Integer.toHexString(run.hashCode());
    }

    SqlClient client() {
      if (client == null) {
        client = server.connect(run.client(), user());
        run.statements().forEach(client::update);
      }
      return client;
    }

    @Override
    public void close() {
      client().close();
    }
  }
}
