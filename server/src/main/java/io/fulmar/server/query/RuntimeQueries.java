package io.fulmar.server.query;

import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.host.HostRow;
import io.fulmar.catalog.host.HostTable;
import io.fulmar.catalog.host.RowsHostTable;
import io.fulmar.engine.plan.QueryMetrics;
import io.fulmar.engine.plan.ScanMetrics;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.ToLongFunction;
import org.apache.iceberg.Schema;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Types;

/** The table {@code system.runtime.queries}: one row for each statement, running or ended. */
final class RuntimeQueries {
  private static final Schema SCHEMA =
      new Schema(
          Types.NestedField.required(1, "query_id", Types.StringType.get()),
          Types.NestedField.required(2, "user", Types.StringType.get()),
          Types.NestedField.required(3, "sql", Types.StringType.get()),
          Types.NestedField.required(4, "state", Types.StringType.get()),
          Types.NestedField.required(5, "started", Types.TimestampType.withZone()),
          Types.NestedField.required(6, "elapsed_ms", Types.LongType.get()),
          Types.NestedField.required(7, "rows", Types.LongType.get()),
          Types.NestedField.required(8, "peak_memory_bytes", Types.LongType.get()),
          Types.NestedField.required(9, "spilled_bytes", Types.LongType.get()),
          Types.NestedField.required(10, "delete_forms", Types.StringType.get()),
          Types.NestedField.required(11, "rows_deleted_by_position", Types.LongType.get()),
          Types.NestedField.required(12, "rows_deleted_by_equality", Types.LongType.get()),
          Types.NestedField.required(13, "files_read", Types.LongType.get()),
          Types.NestedField.required(14, "bytes_read", Types.LongType.get()),
          Types.NestedField.required(15, "progress", Types.DoubleType.get()),
          Types.NestedField.optional(16, "error", Types.StringType.get()));

  private RuntimeQueries() {}

  static HostTable over(QueryRegistry registry) {
    return new RowsHostTable(
        "system.runtime.queries",
        SCHEMA,
        () ->
            CloseableIterable.withNoopClose(
                registry.all().stream().map(RuntimeQueries::row).toList()));
  }

  private static HostRow row(QueryRecord query) {
    QueryMetrics metrics = query.metrics();
    List<String> forms =
        metrics.getScansList().stream()
            .flatMap(scan -> scan.getDeleteFormsList().stream())
            .distinct()
            .toList();
    return HostRow.of(
        query.queryId(),
        query.user(),
        query.sql(),
        query.state().name(),
        ChronoUnit.MICROS.between(Instant.EPOCH, query.started()),
        query.elapsed().toMillis(),
        metrics.getRows(),
        metrics.getPeakMemoryBytes(),
        metrics.getSpilledBytes(),
        String.join(", ", forms),
        sum(metrics, ScanMetrics::getRowsDeletedByPosition),
        sum(metrics, ScanMetrics::getRowsDeletedByEquality),
        sum(metrics, ScanMetrics::getFiles),
        sum(metrics, ScanMetrics::getBytesRead),
        query.state().isFinal() ? 1.0 : metrics.getProgress(),
        query.error().map(RuntimeQueries::text).orElse(null));
  }

  private static long sum(QueryMetrics metrics, ToLongFunction<ScanMetrics> count) {
    return metrics.getScansList().stream().mapToLong(count).sum();
  }

  private static String text(FulmarException error) {
    return error.code() + ": " + error.getMessage();
  }
}
