package io.fulmar.server.config;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.registry.CatalogSettings;
import java.util.List;

/**
 * Everything that a server is started with.
 *
 * @param values every setting
 * @param catalogs the catalogs in the order they were written
 * @param memory how the process limit is shared
 */
public record ServerConfig(
    SettingValues values, List<CatalogSettings> catalogs, MemoryBudget memory) {
  public ServerConfig {
    requireNonNull(values, "values is null");
    catalogs = List.copyOf(catalogs);
    requireNonNull(memory, "memory is null");
  }
}
