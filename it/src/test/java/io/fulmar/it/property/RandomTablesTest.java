package io.fulmar.it.property;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.AfterFailureMode;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.GenerationMode;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeContainer;

/**
 * Random tables of every kind: both backends give the rows that the generator knows. {@code
 * -Dfulmar.property.tables=5000} makes so many, {@code -Dfulmar.property.base=7} others, {@code
 * -Dfulmar.property.seed=42} the one of a seed that a failure printed. Seeds that failed once stand
 * in {@code property/seeds.txt} with the reason and are asked every time.
 */
class RandomTablesTest {
  private static final Path SEEDS = Path.of("src/test/resources/property/seeds.txt");

  private static final int MAX_PROBLEMS = 20;
  private static final int SEED_SHIFT = 16;
  private static final List<String> PROBLEMS = new ArrayList<>();

  private static PropertyServer server;
  private static TableCheck check;

  @BeforeContainer
  static void start() {
    server = PropertyServer.start(Path.of("target/property-server"));
    check = new TableCheck(server);
  }

  @AfterContainer
  static void stop() {
    server.close();
  }

  @Property(
      seed = "20261130",
      shrinking = ShrinkingMode.OFF,
      afterFailure = AfterFailureMode.RANDOM_SEED,
      edgeCases = EdgeCasesMode.NONE,
      generation = GenerationMode.RANDOMIZED)
  void everyTableReadsAsItWasWritten(@ForAll("seeds") long seed) {
    if (PROBLEMS.size() < MAX_PROBLEMS) {
      check.problem(seed).ifPresent(PROBLEMS::add);
    }
  }

  /** All failures of a long run, not the first alone. */
  @AfterProperty
  void noTableFailed() {
    List<String> problems = List.copyOf(PROBLEMS);
    PROBLEMS.clear();
    String end = server.isAlive() ? "" : "\n\nThe server died.";
    assertTrue(problems.isEmpty(), () -> String.join("\n\n", problems) + end);
  }

  @Provide
  Arbitrary<Long> seeds() {
    Long only = Long.getLong("fulmar.property.seed");
    long base = Long.getLong("fulmar.property.base", 0);
    return only == null
        ? Arbitraries.randomValue(random -> (random.nextLong() >>> SEED_SHIFT) ^ base)
        : Arbitraries.just(only);
  }

  @Example
  void seedsThatFailedOncePass() throws IOException {
    List<String> problems = new ArrayList<>();
    for (String line : Files.readAllLines(SEEDS)) {
      if (!line.isBlank() && !line.startsWith("#")) {
        check.problem(Long.parseLong(line.split(" ", 2)[0])).ifPresent(problems::add);
      }
    }
    assertTrue(problems.isEmpty(), () -> String.join("\n\n", problems));
  }
}
