package io.fulmar.planner.validate;

import io.fulmar.catalog.host.HostTable;
import java.util.List;
import java.util.Optional;

/** The tables of the catalog {@code system}, which the server supplies. */
public interface SystemTables {
  /** The catalog's SQL name. */
  String CATALOG = "system";

  /** Names of the tables, in lower case; a schema comes before a dot. */
  List<String> names();

  /**
   * The table of a name of {@link #names()}, or empty. Rows are made when the table is opened.
   *
   * @param name in lower case
   */
  Optional<HostTable> find(String name);

  /** No tables. */
  static SystemTables none() {
    return new SystemTables() {
      @Override
      public List<String> names() {
        return List.of();
      }

      @Override
      public Optional<HostTable> find(String name) {
        return Optional.empty();
      }
    };
  }
}
