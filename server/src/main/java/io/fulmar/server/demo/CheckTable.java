package io.fulmar.server.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.DeleteWriteResult;
import org.apache.iceberg.types.Types;

/**
 * A table of a few rows with an equality delete and a deletion vector, whose right answer is known.
 */
public final class CheckTable {
  /** A query of the table. */
  public static final String QUERY =
      "SELECT id, name FROM self.check_rows WHERE id < 6 ORDER BY id DESC";

  /** Its rows as CSV: row 1 is deleted by position, row 3 was replaced, row 4 deleted by key. */
  public static final String ANSWER = "id,name\n5,row 5\n3,new row 3\n2,row 2\n";

  private static final Namespace NAMESPACE = Namespace.of("self");
  private static final long ROWS = 10;
  private static final Schema SCHEMA =
      new Schema(
          List.of(
              Types.NestedField.required(1, "id", Types.LongType.get()),
              Types.NestedField.optional(2, "name", Types.StringType.get())),
          Set.of(1));

  private CheckTable() {}

  /**
   * Makes the table.
   *
   * @param catalog where it goes
   * @param namespaces the same catalog
   */
  public static void create(Catalog catalog, SupportsNamespaces namespaces) {
    namespaces.createNamespace(NAMESPACE);
    Table table =
        catalog.createTable(
            TableIdentifier.of(NAMESPACE, "check_rows"),
            SCHEMA,
            PartitionSpec.unpartitioned(),
            Map.of("format-version", "3"));
    TableFiles files = new TableFiles(table);
    List<Record> rows = new ArrayList<>();
    for (long id = 1; id <= ROWS; id++) {
      rows.add(files.record(id, "row " + id));
    }
    DataFile first = files.data(null, rows);
    table.newAppend().appendFile(first).commit();

    Schema keys = table.schema().select("id");
    List<Record> deleted = List.of(TableFiles.record(keys, 3L), TableFiles.record(keys, 4L));
    table
        .newRowDelta()
        .addDeletes(files.equalityDeletes(null, keys, deleted))
        .addRows(files.data(null, List.of(files.record(3L, "new row 3"))))
        .commit();

    DeleteWriteResult vectors = files.deletionVectors(Map.of(first, List.of(0L)));
    RowDelta delta = table.newRowDelta();
    vectors.deleteFiles().forEach(delta::addDeletes);
    delta.commit();
  }
}
