package io.fulmar.server.config;

import java.util.stream.Collectors;

/** Writes the reference page of the settings from {@link Settings}. */
public final class SettingsReference {
  private SettingsReference() {}

  /** The page in Markdown. */
  public static String markdown() {
    return """
        # Settings

        Generated from `io.fulmar.server.config.Settings`; a test keeps it fresh.

        Settings stand in a YAML file (`fulmar serve --config fulmar.yaml`) in groups, or as
        `--set group.key=value`, which wins. Those of scope *session* can also be changed for one
        session: `SET "memory.query-limit" = '64MB'`, or as a Flight SQL session option.
        Sizes are written like `256MB` (powers of 1024), durations like `500ms`, `30s`, `5m`, `2h`.

        """
        + table()
        + """

        ## Catalogs

        | key | meaning |
        |---|---|
        | `catalogs.<name>.type` | `jdbc`, `rest`, `hadoop`, `in-memory`, or the class name of an Iceberg catalog |
        | `catalogs.<name>.properties.<property>` | passed to Iceberg as it is |
        | `catalogs.<name>.path-mapping.<prefix>` | paths of the metadata that start with the prefix are read from this place instead; the longest prefix wins |

        Where no catalog is configured there is one: `lake`, an Iceberg JDBC catalog on SQLite in
        `server.home`, with its warehouse beside it.
        """;
  }

  private static String table() {
    return "| key | type | default | scope | meaning |\n|---|---|---|---|---|\n"
        + Settings.ALL.stream().map(SettingsReference::row).collect(Collectors.joining());
  }

  private static String row(Setting<?> setting) {
    return "| `%s` | %s | %s | %s | %s |\n"
        .formatted(
            setting.key(),
            setting.type().name(),
            setting.defaultText(),
            setting.scope() == Setting.Scope.SESSION ? "session" : "server",
            setting.description());
  }
}
