package io.fulmar.server.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.PartitionData;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.types.Types;

/**
 * A table whose columns were renamed, dropped, promoted and added, and whose partition spec
 * changed, with data of every age.
 */
final class Evolved {
  private static final int ROWS = 1_000;
  private static final int SITES = 4;

  private static final Schema FIRST =
      new Schema(
          Types.NestedField.required(1, "id", Types.IntegerType.get()),
          Types.NestedField.optional(2, "temp", Types.FloatType.get()),
          Types.NestedField.optional(3, "note", Types.StringType.get()),
          Types.NestedField.optional(4, "site", Types.StringType.get()));

  private Evolved() {}

  static void create(Catalog catalog, TableIdentifier name) {
    Table table =
        catalog.createTable(
            name, FIRST, PartitionSpec.unpartitioned(), Map.of("format-version", "2"));
    TableFiles first = new TableFiles(table);
    List<Record> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      rows.add(first.record(i, i / 10f, "note " + i, "site-" + i % SITES));
    }
    table.newAppend().appendFile(first.data(null, rows)).commit();

    table
        .updateSchema()
        .updateColumn("id", Types.LongType.get())
        .updateColumn("temp", Types.DoubleType.get())
        .renameColumn("temp", "temperature")
        .deleteColumn("note")
        .addColumn("humidity", Types.IntegerType.get())
        .commit();
    table.updateSpec().addField("site").commit();
    appendBySite(table);
    table.updateSpec().removeField("site").addField(Expressions.bucket("id", 8)).commit();
  }

  private static void appendBySite(Table table) {
    TableFiles files = new TableFiles(table);
    for (int site = 0; site < SITES; site++) {
      List<Record> rows = new ArrayList<>();
      for (long i = 0; i < ROWS / SITES; i++) {
        rows.add(files.record(3_000_000_000L + i, i / 4d, "site-" + site, (int) (i % 100)));
      }
      PartitionData partition = new PartitionData(table.spec().partitionType());
      partition.set(0, "site-" + site);
      table.newAppend().appendFile(files.data(partition, rows)).commit();
    }
  }
}
