package io.fulmar.catalog.scan;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.metadata.TableSnapshot;
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.expressions.Expression;

/**
 * What to plan.
 *
 * @param table the pinned table
 * @param fieldIds the fields that the query reads, for estimates; delete keys are added by the
 *     planner
 * @param filter over the snapshot's schema, by name, unbound; may only skip what cannot match.
 *     Literals of nanosecond columns are ISO strings: Iceberg takes plain longs as microseconds
 * @param options from the session's settings
 * @param changes what to read instead of the pinned snapshot; the schema stays
 */
public record ScanRequest(
    TableSnapshot table,
    Set<Integer> fieldIds,
    Expression filter,
    ScanOptions options,
    Optional<ChangeRequest> changes) {
  /** A scan of the pinned snapshot. */
  public ScanRequest(
      TableSnapshot table, Set<Integer> fieldIds, Expression filter, ScanOptions options) {
    this(table, fieldIds, filter, options, Optional.empty());
  }

  public ScanRequest {
    requireNonNull(changes, "changes is null");
    requireNonNull(table, "table is null");
    fieldIds = Set.copyOf(fieldIds);
    requireNonNull(filter, "filter is null");
    requireNonNull(options, "options is null");
  }
}
