package io.fulmar.it.golden;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Checks that may fail, with the reason: lines {@code case#check client reason}, where check counts
 * from 0 and client is jdbc, adbc or *. A listed check that passes fails the build, so the list
 * only shrinks. {@code -Dfulmar.golden.update=true} rewrites it.
 */
final class KnownFailures {
  static final Path FILE = Path.of("src/test/resources/golden/known-failures.txt");

  private final Map<String, String> reasons;

  private KnownFailures(Map<String, String> reasons) {
    this.reasons = reasons;
  }

  static KnownFailures load() {
    try {
      Map<String, String> reasons = new LinkedHashMap<>();
      List<String> lines =
          Files.exists(FILE) ? Files.readAllLines(FILE, StandardCharsets.UTF_8) : List.of();
      for (String line : lines) {
        if (!line.isBlank() && !line.startsWith("# ")) {
          String[] parts = line.split(" ", 3);
          if (parts.length < 3 || parts[2].isBlank()) {
            throw new IllegalStateException("A known failure needs a reason: " + line);
          }
          reasons.put(parts[0] + " " + parts[1], parts[2]);
        }
      }
      return new KnownFailures(reasons);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Optional<String> reason(String caseId, int check, String client) {
    String key = caseId + "#" + check + " ";
    return Optional.ofNullable(reasons.getOrDefault(key + client, reasons.get(key + "*")));
  }
}
