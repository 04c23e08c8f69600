package io.fulmar.planner.deletes;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.metadata.DeleteInventory;
import io.fulmar.catalog.metadata.TableSnapshot;
import io.fulmar.catalog.scan.ChangeRequest;
import io.fulmar.planner.validate.TableColumn;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.calcite.plan.Convention;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.core.TableScan;

/**
 * The data files of one table reference, before deletes: the columns that SQL sees, then hidden
 * ones that the anti-joins and nested accesses above it need.
 */
public final class DataScan extends TableScan {
  private final int number;
  private final TableSnapshot snapshot;
  private final List<TableColumn> columns;
  private final DeleteInventory deletes;
  private final Optional<ChangeRequest> changes;

  DataScan(
      RelOptCluster cluster,
      int number,
      TableSnapshot snapshot,
      List<TableColumn> columns,
      DeleteInventory deletes,
      Optional<ChangeRequest> changes,
      OptionalLong rows) {
    super(
        cluster,
        cluster.traitSetOf(Convention.NONE),
        List.of(),
        FileTable.of(cluster, name(snapshot, changes), columns, rows));
    this.number = number;
    this.snapshot = requireNonNull(snapshot, "snapshot is null");
    this.columns = List.copyOf(columns);
    this.deletes = requireNonNull(deletes, "deletes is null");
    this.changes = requireNonNull(changes, "changes is null");
  }

  private static String name(TableSnapshot snapshot, Optional<ChangeRequest> changes) {
    return snapshot.displayName()
        + changes
            .map(each -> " " + each.part().name().toLowerCase(Locale.ROOT).replace('_', ' '))
            .orElse("");
  }

  /** For people: the table, and which files of its commits. */
  public String displayName() {
    return name(snapshot, changes);
  }

  /** Which files of which commits are read, instead of those of the snapshot. */
  public Optional<ChangeRequest> changes() {
    return changes;
  }

  /** Tells the scans of one plan apart, from 0. */
  public int number() {
    return number;
  }

  public TableSnapshot snapshot() {
    return snapshot;
  }

  /** One for each field of the row type, in order; nested fields stand by their own ids. */
  public List<TableColumn> columns() {
    return columns;
  }

  /** What anti-joins above must apply. */
  public DeleteInventory deletes() {
    return deletes;
  }

  @Override
  public RelNode copy(RelTraitSet traitSet, List<RelNode> inputs) {
    return this;
  }

  @Override
  public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer).item("scan", number);
  }
}
