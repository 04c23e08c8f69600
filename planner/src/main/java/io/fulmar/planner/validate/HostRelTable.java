package io.fulmar.planner.validate;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.host.HostTable;
import java.util.List;

/**
 * A table whose rows Java makes, as Calcite sees it. The row type has the columns of {@code
 * table().schema()} in order.
 */
public final class HostRelTable extends StatementTable {
  private final HostTable table;

  HostRelTable(HostTable table, List<TableColumn> columns) {
    super(columns);
    this.table = requireNonNull(table, "table is null");
  }

  public HostTable table() {
    return table;
  }

  @Override
  String displayName() {
    return table.name();
  }

  @Override
  List<String> path() {
    return List.of(table.name());
  }
}
