package io.fulmar.catalog.scan.prune;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.Schema;
import org.apache.iceberg.TableMetadata;

/** A row filter tested against a file's statistics. Safe for use by several threads. */
public final class StatisticsFilter {
  private final RowFilter filter;
  private final Map<Integer, ColumnStatistics> columns = new HashMap<>();

  /**
   * @param schema that the filter is bound to
   */
  public StatisticsFilter(RowFilter filter, Schema schema, TableMetadata metadata) {
    this.filter = filter;
    for (ColumnPredicate predicate : filter.predicates()) {
      columns.computeIfAbsent(predicate.fieldId(), id -> ColumnStatistics.of(id, schema, metadata));
    }
  }

  /** Whether a data file may hold matching rows. */
  public boolean mayMatch(ContentFile<?> file) {
    return filter.mayMatch(
        predicate -> predicate.mayMatch(columns.get(predicate.fieldId()).of(file)));
  }

  /**
   * Whether an equality-delete file may delete matching rows: its statistics tell about its keys
   * only (rule R25).
   */
  public boolean mayDelete(ContentFile<?> file, Set<Integer> keys) {
    return filter.mayMatch(
        predicate ->
            !keys.contains(predicate.fieldId())
                || predicate.mayMatch(columns.get(predicate.fieldId()).of(file)));
  }
}
