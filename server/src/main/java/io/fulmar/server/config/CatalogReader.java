package io.fulmar.server.config;

import io.fulmar.catalog.registry.CatalogSettings;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads {@code catalogs.<name>.type}, {@code catalogs.<name>.properties.<property>} and {@code
 * catalogs.<name>.path-mapping.<prefix>}.
 */
final class CatalogReader {
  /** The first word of every key that this class reads. */
  static final String GROUP = "catalogs";

  private static final List<String> PARTS = List.of("type", "properties", "path-mapping");

  private final Problems problems;
  private final Map<String, Draft> drafts = new LinkedHashMap<>();

  CatalogReader(Problems problems) {
    this.problems = problems;
  }

  /** Takes one setting whose first word is {@link #GROUP}. */
  void add(RawSetting raw) {
    if (raw.path().size() < 3 || raw.path().get(1).isBlank()) {
      problems.add(raw.origin(), raw.key() + " is not catalogs.<name>.<" + "key>");
      return;
    }

    Draft draft = drafts.computeIfAbsent(raw.path().get(1), name -> new Draft(raw.origin()));
    String part = raw.path().get(2);
    boolean deeper = raw.path().size() > 3;
    if (part.equals("type") && !deeper) {
      draft.type = Optional.of(raw.value());
    } else if (part.equals("properties") && deeper) {
      draft.properties.put(raw.keyAfter(3), raw.value());
    } else if (part.equals("path-mapping") && deeper) {
      draft.pathMapping.put(raw.keyAfter(3), raw.value());
    } else {
      String hint = PARTS.contains(part) ? "" : Suggestions.didYouMean(part, PARTS);
      problems.add(raw.origin(), "Unknown setting " + raw.key() + hint);
    }
  }

  /** The catalogs, or the embedded one where none was configured. */
  List<CatalogSettings> catalogs(Path home) {
    if (drafts.isEmpty()) {
      return List.of(embedded(home));
    }

    drafts.forEach(
        (name, draft) -> {
          if (draft.type.isEmpty()) {
            problems.add(
                draft.origin,
                "catalogs." + name + ".type is missing: jdbc, rest, hadoop, in-memory or a class");
          }
        });
    return drafts.entrySet().stream().map(CatalogReader::settings).toList();
  }

  private static CatalogSettings settings(Map.Entry<String, Draft> entry) {
    Draft draft = entry.getValue();
    return new CatalogSettings(
        entry.getKey(), draft.type.orElse(""), draft.properties, draft.pathMapping);
  }

  private static CatalogSettings embedded(Path home) {
    Map<String, String> properties =
        Map.of(
            "uri", "jdbc:sqlite:" + home.resolve("lake.db"),
            "warehouse", "file:" + home.resolve("warehouse"));
    return new CatalogSettings("lake", "jdbc", properties, Map.of());
  }

  private static final class Draft {
    private final String origin;
    private final Map<String, String> properties = new LinkedHashMap<>();
    private final Map<String, String> pathMapping = new LinkedHashMap<>();
    private Optional<String> type = Optional.empty();

    private Draft(String origin) {
      this.origin = origin;
    }
  }
}
