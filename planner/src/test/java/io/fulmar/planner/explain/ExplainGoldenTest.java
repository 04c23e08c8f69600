package io.fulmar.planner.explain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.fulmar.planner.QueryPlan;
import io.fulmar.planner.testing.DeleteTables;
import io.fulmar.planner.testing.PlanChecker;
import io.fulmar.planner.testing.Planning;
import io.fulmar.planner.testing.TestCatalog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Statements of {@code plans/*.sql} with their logical plans beside them in {@code .txt}; run with
 * {@code -Dfulmar.golden.update=true} to write the plans anew.
 */
class ExplainGoldenTest {
  private static final Path FOLDER = Path.of("src/test/resources/plans");
  private static final boolean UPDATE = Boolean.getBoolean("fulmar.golden.update");

  private static TestCatalog catalog;
  private static Planning planning;

  @BeforeAll
  static void open() {
    catalog = new TestCatalog();
    DeleteTables.create(catalog);
    planning = new Planning(catalog.registry(), "db");
  }

  @AfterAll
  static void close() {
    catalog.close();
  }

  static Stream<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      List<Path> sorted = files.filter(file -> file.toString().endsWith(".sql")).sorted().toList();
      assertFalse(sorted.isEmpty(), "no statements in " + FOLDER);
      return sorted.stream();
    }
  }

  @ParameterizedTest
  @MethodSource("files")
  void plan(Path file) throws IOException {
    StringBuilder plans = new StringBuilder();
    for (String sql : Files.readString(file).split(";\\s*\n")) {
      if (!sql.isBlank()) {
        plans.append("-- ").append(sql.strip().replace("\n", "\n-- ")).append('\n');
        plans.append(planned(sql.strip())).append("\n\n");
      }
    }
    Path golden = Path.of(file.toString().replace(".sql", ".txt"));
    if (UPDATE) {
      Files.write(golden, plans.toString().getBytes(StandardCharsets.UTF_8));
    }
    assertEquals(Files.readString(golden), plans.toString());
  }

  private static String planned(String sql) {
    QueryPlan plan = planning.plan(sql);
    PlanChecker.check(plan.plan());
    StringBuilder text = new StringBuilder(plan.logicalText());
    for (QueryPlan.TableScan scan : plan.tableScans()) {
      if (!scan.request().filter().toString().equals("true")) {
        text.append("\nfiles of ")
            .append(scan.request().table().displayName())
            .append(": ")
            .append(scan.request().filter());
      }
    }
    return text.toString();
  }
}
