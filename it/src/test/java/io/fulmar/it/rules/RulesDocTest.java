package io.fulmar.it.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fulmar.it.golden.GoldenFixtures;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The page of the rules of the format says for each which golden tables and which tests would fail
 * if it were broken. {@code -Dfulmar.golden.update=true} writes it anew.
 */
class RulesDocTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path PAGE = ROOT.resolve("docs/reference/rules.md");
  private static final Path RULES = Path.of("src/test/resources/rules/rules.txt");
  private static final String HEAD =
      """
      # Rules of the table format, and what tests them

      Written by RulesDocTest. The cases are golden tables in `it/src/test/resources/golden`, asked through JDBC and ADBC; tests are named by their file.

      | rule | what it demands | golden cases | other tests |
      |---|---|---|---|
      """;

  private record Rule(String id, String demand, List<String> tests, String reason) {}

  @Test
  void pageIsTrue() throws IOException {
    Map<String, List<String>> cases = GoldenFixtures.casesByRule();
    Set<String> files = testFiles();
    StringBuilder page = new StringBuilder(HEAD);
    List<String> problems = new ArrayList<>();
    for (Rule rule : rules()) {
      List<String> golden = cases.getOrDefault(rule.id(), List.of());
      rule.tests().stream()
          .filter(test -> !files.contains(test))
          .forEach(test -> problems.add(rule.id() + " names no test: " + test));
      if (golden.isEmpty() && rule.tests().isEmpty() && rule.reason().isEmpty()) {
        problems.add(rule.id() + " has neither a test nor a reason");
      }
      page.append(line(rule, golden));
    }
    cases.keySet().stream()
        .filter(id -> !page.toString().contains("| " + id + " |"))
        .forEach(id -> problems.add(id + " is not in rules.txt"));
    assertEquals("", String.join("\n", problems));
    if (Boolean.getBoolean("fulmar.golden.update")) {
      Files.writeString(PAGE, page, StandardCharsets.UTF_8);
    }
    assertTrue(Files.exists(PAGE), "Write the page with -Dfulmar.golden.update=true");
    assertEquals(page.toString(), Files.readString(PAGE, StandardCharsets.UTF_8));
  }

  private static String line(Rule rule, List<String> golden) {
    String tests = rule.tests().isEmpty() ? rule.reason() : String.join(", ", rule.tests());
    return "| %s | %s | %s | %s |%n"
        .formatted(rule.id(), rule.demand(), String.join(", ", golden), tests);
  }

  private static List<Rule> rules() throws IOException {
    List<Rule> rules = new ArrayList<>();
    for (String line : Files.readAllLines(RULES, StandardCharsets.UTF_8)) {
      if (!line.startsWith("#") && !line.isBlank()) {
        String[] parts = line.split("\\|", 3);
        String tests = parts[2].strip();
        boolean none = tests.startsWith("-");
        rules.add(
            new Rule(
                parts[0].strip(),
                parts[1].strip(),
                none || tests.isEmpty() ? List.of() : Arrays.asList(tests.split(", ")),
                none ? tests.substring(1).strip() : ""));
      }
    }
    return rules;
  }

  /** Names, without their endings, of all files of tests. */
  private static Set<String> testFiles() throws IOException {
    try (Stream<Path> paths = Files.walk(ROOT)) {
      return paths
          .map(path -> ROOT.relativize(path).toString())
          .filter(path -> path.contains("src/test/") || path.contains("engine/native/crates"))
          .filter(path -> !path.contains("target/"))
          .map(path -> Path.of(path).getFileName().toString())
          .filter(name -> name.endsWith(".java") || name.endsWith(".rs") || name.endsWith(".slt"))
          .map(name -> name.substring(0, name.lastIndexOf('.')))
          .collect(Collectors.toSet());
    }
  }
}
