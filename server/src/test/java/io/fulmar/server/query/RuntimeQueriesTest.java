package io.fulmar.server.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.host.BatchReader;
import io.fulmar.catalog.host.HostTable;
import io.fulmar.engine.plan.QueryMetrics;
import io.fulmar.engine.plan.ScanMetrics;
import io.fulmar.server.admission.Cancellation;
import io.fulmar.server.config.SettingValues;
import io.fulmar.server.config.Settings;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.Test;

class RuntimeQueriesTest {
  private final QueryRegistry registry = new QueryRegistry(2);

  @Test
  void showsStatesCountsAndErrors() {
    QueryRecord running = start("q1");
    running.running(
        () ->
            QueryMetrics.newBuilder()
                .setRows(5)
                .setSpilledBytes(7)
                .setProgress(0.5)
                .addScans(
                    ScanMetrics.newBuilder()
                        .setRowsDeletedByPosition(1)
                        .setRowsDeletedByEquality(2)
                        .addDeleteForms("set")
                        .addDeleteForms("set"))
                .addScans(
                    ScanMetrics.newBuilder()
                        .setRowsDeletedByEquality(3)
                        .addDeleteForms("merge (fallback)"))
                .build());
    QueryRecord failed = start("q2");
    failed.failed(new FulmarException(ErrorCode.DIVISION_BY_ZERO, "Division by zero"));
    registry.end(failed);

    assertEquals(
        List.of(
            "query_id=q2 state=FAILED rows=0 spilled_bytes=0 delete_forms= "
                + "rows_deleted_by_position=0 rows_deleted_by_equality=0 progress=1.0 "
                + "error=DIVISION_BY_ZERO: Division by zero",
            "query_id=q1 state=RUNNING rows=5 spilled_bytes=7 delete_forms=set, merge (fallback) "
                + "rows_deleted_by_position=1 rows_deleted_by_equality=5 progress=0.5 error=null"),
        rows());
  }

  @Test
  void historyIsBounded() {
    for (String id : List.of("q1", "q2", "q3")) {
      QueryRecord record = start(id);
      record.finished();
      registry.end(record);
    }

    assertEquals(List.of("q2", "q3"), registry.all().stream().map(QueryRecord::queryId).toList());
  }

  @Test
  void aCancelledStatementIsNoFailure() {
    QueryRecord record = start("q1");
    record.failed(new FulmarException(ErrorCode.CANCELLED, "gone"));

    assertEquals(QueryState.CANCELLED, record.state());
  }

  @Test
  void settingsAreATable() {
    List<String> rows = rows("settings", List.of("key", "server_value", "scope"));

    assertEquals(Settings.ALL.size(), rows.size());
    assertTrue(rows.contains("key=scan.delete-form server_value=auto scope=session"), "" + rows);
  }

  private QueryRecord start(String id) {
    QueryRecord record =
        new QueryRecord(id, "ada", "s1", "SELECT 1", Instant.EPOCH, new Cancellation());
    registry.add(record);
    return record;
  }

  private List<String> rows() {
    return rows(
        "runtime.queries",
        List.of(
            "query_id",
            "state",
            "rows",
            "spilled_bytes",
            "delete_forms",
            "rows_deleted_by_position",
            "rows_deleted_by_equality",
            "progress",
            "error"));
  }

  private List<String> rows(String name, List<String> columns) {
    HostTable table =
        new RuntimeTables(registry, SettingValues.defaults()).find(name).orElseThrow();
    List<String> rows = new ArrayList<>();
    try (BufferAllocator allocator = new RootAllocator();
        BatchReader reader = table.open(allocator, 100)) {
      while (reader.next()) {
        VectorSchemaRoot root = reader.root();
        for (int i = 0; i < root.getRowCount(); i++) {
          int row = i;
          rows.add(
              columns.stream()
                  .map(column -> column + "=" + root.getVector(column).getObject(row))
                  .collect(Collectors.joining(" ")));
        }
      }
    }
    return rows;
  }
}
