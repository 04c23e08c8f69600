package io.fulmar.server.demo;

import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.types.Types;

/**
 * A change-data table as Flink's upsert sink leaves it: each commit holds one data file and one
 * equality-delete file with the same keys, inserts included.
 */
final class OrdersCdc {
  private static final int FIRST_COMMITS = 4;
  private static final int ROWS_PER_FIRST_COMMIT = 260_000;
  private static final int CHANGE_COMMITS = 20;
  private static final int CHANGES_PER_COMMIT = 15_000;
  private static final List<String> STATES = List.of("new", "paid", "packed", "sent", "returned");
  private static final LocalDateTime START = LocalDateTime.of(2026, 1, 1, 0, 0);

  private static final Schema SCHEMA =
      new Schema(
          List.of(
              Types.NestedField.required(1, "order_id", Types.LongType.get()),
              Types.NestedField.optional(2, "customer", Types.IntegerType.get()),
              Types.NestedField.optional(3, "state", Types.StringType.get()),
              Types.NestedField.optional(4, "amount", Types.DecimalType.of(12, 2)),
              Types.NestedField.optional(5, "updated_at", Types.TimestampType.withoutZone())),
          java.util.Set.of(1));

  private OrdersCdc() {}

  static void create(Catalog catalog, TableIdentifier name, Consumer<String> progress) {
    Table table =
        catalog.createTable(
            name, SCHEMA, PartitionSpec.unpartitioned(), Map.of("format-version", "2"));
    Random random = new Random(17);
    for (int commit = 0; commit < FIRST_COMMITS; commit++) {
      List<Long> keys = new ArrayList<>();
      for (long i = 0; i < ROWS_PER_FIRST_COMMIT; i++) {
        keys.add((long) commit * ROWS_PER_FIRST_COMMIT + i);
      }
      upsert(table, keys, commit, random);
      progress.accept(
          name + ": commit " + (commit + 1) + " of " + (FIRST_COMMITS + CHANGE_COMMITS));
    }
    int rows = FIRST_COMMITS * ROWS_PER_FIRST_COMMIT;
    for (int commit = FIRST_COMMITS; commit < FIRST_COMMITS + CHANGE_COMMITS; commit++) {
      List<Long> keys =
          random.longs(0, rows).distinct().limit(CHANGES_PER_COMMIT).sorted().boxed().toList();
      upsert(table, keys, commit, random);
    }
    progress.accept(name + ": " + (FIRST_COMMITS + CHANGE_COMMITS) + " commits");
  }

  private static void upsert(Table table, List<Long> keys, int commit, Random random) {
    TableFiles files = new TableFiles(table);
    Schema keySchema = table.schema().select("order_id");
    List<Record> rows = new ArrayList<>(keys.size());
    List<Record> deletes = new ArrayList<>(keys.size());
    for (long key : keys) {
      deletes.add(TableFiles.record(keySchema, key));
      rows.add(
          files.record(
              key,
              random.nextInt(50_000),
              STATES.get(Math.min(STATES.size() - 1, commit / 5 + random.nextInt(2))),
              BigDecimal.valueOf(random.nextInt(1_000_000), 2),
              START.plusHours(commit).plusSeconds(random.nextInt(3_600))));
    }
    RowDelta delta = table.newRowDelta();
    delta.addRows(files.data(null, rows));
    delta.addDeletes(files.equalityDeletes(null, keySchema, deletes));
    delta.commit();
  }
}
