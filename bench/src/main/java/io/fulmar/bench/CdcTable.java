package io.fulmar.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.jdbc.JdbcCatalog;
import org.apache.iceberg.types.Types;

/**
 * Makes {@code bench.cdc} in catalog {@code cdc<commits>}, as a stream of upserts leaves it: each
 * commit has one data file and one equality-delete file with the same keys, and each key is written
 * twice on average. {@code bench.clean} has the same data files without deletes.
 */
public final class CdcTable {
  private static final int KEY_STEP = 3;
  private static final long START_STEP = 2_654_435_761L;
  private static final Namespace BENCH = Namespace.of("bench");

  private static final Schema SCHEMA =
      new Schema(
          Types.NestedField.optional(1, "id", Types.LongType.get()),
          Types.NestedField.optional(2, "version", Types.LongType.get()),
          Types.NestedField.optional(3, "price", Types.DoubleType.get()));

  private final Path folder;
  private final int commits;
  private final int rows;
  private final long keys;

  private CdcTable(Path folder, int commits, int rows) {
    this.folder = folder;
    this.commits = commits;
    this.rows = rows;
    long half = (long) commits * rows / 2;
    // Steps of 3 go through all keys before one comes again.
    this.keys = half % KEY_STEP == 0 ? half + 1 : half;
  }

  /**
   * @param arguments the folder for files and catalog, the number of commits, and the rows of each
   */
  public static void main(String[] arguments) throws IOException, SQLException {
    int commits = Integer.parseInt(arguments[1]);
    int rows = Integer.parseInt(arguments[2]);
    new CdcTable(Path.of(arguments[0]).toAbsolutePath(), commits, rows).make();
  }

  private void make() throws IOException, SQLException {
    Files.createDirectories(folder.resolve("data"));
    Files.createDirectories(folder.resolve("deletes"));
    List<Path> data = new ArrayList<>();
    List<Path> deletes = new ArrayList<>();
    try (Connection duckdb = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duckdb.createStatement()) {
      for (int commit = 0; commit < commits; commit++) {
        data.add(write(statement, commit, "data", List.of("id", "version", "price")));
        deletes.add(write(statement, commit, "deletes", List.of("id")));
      }
    }
    commit(data, deletes);
  }

  private Path write(Statement statement, int commit, String kind, List<String> columns)
      throws SQLException {
    Path path = folder.resolve(kind).resolve("%s-%05d.parquet".formatted(kind, commit));
    long start = Math.floorMod(commit * START_STEP, keys);
    statement.execute(
        """
        COPY (
          SELECT %s FROM (
            SELECT (%d + j * %d) %% %d AS id, CAST(%d AS BIGINT) AS version,
              CAST(hash(%d * j + %d) %% 10000000 AS DOUBLE) / 100 AS price
            FROM range(%d) t (j))
        ) TO '%s' (FORMAT parquet, COMPRESSION zstd, FIELD_IDS %s)"""
            .formatted(
                String.join(", ", columns),
                start,
                KEY_STEP,
                keys,
                commit,
                commits,
                commit,
                rows,
                path,
                ParquetTable.fieldIds(SCHEMA, columns)));
    return path;
  }

  private void commit(List<Path> data, List<Path> deletes) throws IOException {
    try (JdbcCatalog catalog = new JdbcCatalog()) {
      catalog.initialize(
          "cdc" + commits,
          Map.of(
              "uri", "jdbc:sqlite:" + folder.resolve("bench.db"),
              "warehouse", "file:" + folder.resolve("warehouse")));
      catalog.createNamespace(BENCH);
      Table clean = create(catalog, "clean");
      ParquetTable cleanFiles = new ParquetTable(clean);
      AppendFiles append = clean.newAppend();
      data.forEach(file -> append.appendFile(cleanFiles.dataFile(file)));
      append.commit();

      Table cdc = create(catalog, "cdc");
      ParquetTable files = new ParquetTable(cdc);
      // Each operation is a snapshot with a sequence number of its own; the metadata is written
      // once.
      Transaction transaction = cdc.newTransaction();
      for (int commit = 0; commit < commits; commit++) {
        transaction
            .newRowDelta()
            .addRows(files.dataFile(data.get(commit)))
            .addDeletes(files.equalityDeleteFile(deletes.get(commit), 1))
            .commit();
      }
      transaction.commitTransaction();
      cdc.refresh();
      cdc.expireSnapshots()
          .expireOlderThan(System.currentTimeMillis())
          .retainLast(1)
          .cleanExpiredFiles(false)
          .commit();
    }
  }

  private static Table create(JdbcCatalog catalog, String name) {
    return catalog.createTable(
        TableIdentifier.of(BENCH, name),
        SCHEMA,
        PartitionSpec.unpartitioned(),
        Map.of("format-version", "2"));
  }
}
