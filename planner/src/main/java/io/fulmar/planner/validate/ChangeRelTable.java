package io.fulmar.planner.validate;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.metadata.TableSnapshot;
import io.fulmar.catalog.scan.ChangeRequest;
import java.util.List;

/**
 * Some files of the commits of a range, as Calcite sees them: rows of the table's columns and of
 * the commit's. Each commit's deletes are those of the snapshot that its files are read at.
 */
public final class ChangeRelTable extends StatementTable {
  private final TableSnapshot snapshot;
  private final ChangeRequest changes;

  ChangeRelTable(TableSnapshot snapshot, ChangeRequest changes, List<TableColumn> columns) {
    super(columns);
    this.snapshot = requireNonNull(snapshot, "snapshot is null");
    this.changes = requireNonNull(changes, "changes is null");
  }

  /** The table, with the columns of the commit in its schema. */
  public TableSnapshot snapshot() {
    return snapshot;
  }

  public ChangeRequest changes() {
    return changes;
  }

  @Override
  String displayName() {
    return snapshot.displayName() + " changes " + changes.part();
  }

  @Override
  List<String> path() {
    return List.of(displayName());
  }
}
