package io.fulmar.planner.validate;

import io.fulmar.catalog.registry.LoadedTable;
import java.util.HashMap;
import java.util.Map;
import org.apache.iceberg.catalog.TableIdentifier;

/**
 * The tables that one statement has loaded. A table is loaded once however often the statement and
 * its views name it, so that all references to one version see one snapshot.
 */
final class LoadedTables {
  private final Map<Identity, LoadedTable> tables = new HashMap<>();

  /** Which table. */
  record Identity(String catalog, TableIdentifier identifier) {
    static Identity of(LoadedTable table) {
      return new Identity(table.catalog(), table.identifier());
    }
  }

  /** The table as it was when it was first loaded. */
  LoadedTable first(LoadedTable table) {
    return tables.computeIfAbsent(Identity.of(table), key -> table);
  }
}
