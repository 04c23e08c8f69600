package io.fulmar.server.query;

import io.fulmar.catalog.host.HostTable;
import io.fulmar.planner.validate.SystemTables;
import io.fulmar.server.config.SettingValues;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The tables of the catalog {@code system}. */
final class RuntimeTables implements SystemTables {
  private final Map<String, HostTable> tables;

  RuntimeTables(QueryRegistry registry, SettingValues values) {
    tables =
        Map.of(
            "runtime.queries", RuntimeQueries.over(registry), "settings", SettingsTable.of(values));
  }

  @Override
  public List<String> names() {
    return tables.keySet().stream().sorted().toList();
  }

  @Override
  public Optional<HostTable> find(String name) {
    return Optional.ofNullable(tables.get(name));
  }
}
