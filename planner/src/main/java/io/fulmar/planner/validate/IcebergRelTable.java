package io.fulmar.planner.validate;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.metadata.TableSnapshot;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.calcite.schema.Statistic;
import org.apache.calcite.schema.Statistics;
import org.apache.iceberg.SnapshotSummary;

/**
 * An Iceberg table as Calcite sees it: one snapshot, with the columns of its SQL schema in order
 * and then the metadata columns that the statement names. Obtain it from a {@code RelOptTable} by
 * {@code unwrap(IcebergRelTable.class)}.
 */
public final class IcebergRelTable extends StatementTable {
  private final TableSnapshot snapshot;

  IcebergRelTable(TableSnapshot snapshot, List<TableColumn> columns) {
    super(columns);
    this.snapshot = requireNonNull(snapshot, "snapshot is null");
  }

  /** The pinned table; its schema is {@code snapshot().schema()}. */
  public TableSnapshot snapshot() {
    return snapshot;
  }

  /**
   * The row count that the snapshot's summary states, an upper bound: deletes are not subtracted.
   */
  @Override
  public Statistic getStatistic() {
    return snapshot
        .snapshot()
        .map(pinned -> pinned.summary().get(SnapshotSummary.TOTAL_RECORDS_PROP))
        .flatMap(IcebergRelTable::count)
        .map(rows -> Statistics.of(rows, List.of()))
        .orElse(Statistics.UNKNOWN);
  }

  private static Optional<Double> count(String text) {
    try {
      return Optional.of((double) Long.parseLong(text));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  @Override
  String displayName() {
    return snapshot.displayName();
  }

  @Override
  List<String> path() {
    return Stream.of(
            Stream.of(snapshot.catalog()),
            Stream.of(snapshot.identifier().namespace().levels()),
            Stream.of(snapshot.identifier().name()))
        .flatMap(part -> part)
        .toList();
  }
}
