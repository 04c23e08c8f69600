package io.fulmar.planner.backend;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.metadata.TableSnapshot;
import io.fulmar.planner.validate.TableColumn;
import java.util.List;

/**
 * What to read of a snapshot.
 *
 * @param columns in the order of the batches; their Arrow types are those of {@code docs/types.md}
 * @param batchRows at most so many rows in one batch
 */
public record TableRead(TableSnapshot table, List<TableColumn> columns, int batchRows) {
  public TableRead {
    requireNonNull(table, "table is null");
    columns = List.copyOf(columns);
    if (batchRows <= 0) {
      throw new IllegalArgumentException("batchRows must be positive: " + batchRows);
    }
  }
}
