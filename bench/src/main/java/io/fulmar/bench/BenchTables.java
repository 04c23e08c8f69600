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
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.jdbc.JdbcCatalog;
import org.apache.iceberg.types.Types;

/**
 * Makes {@code bench.clean} and {@code bench.eq4m} in a JDBC catalog on SQLite: {@code rows} rows
 * of 8 columns in 16 files, and for {@code eq4m} a tenth of the ids deleted by 50 equality-delete
 * files.
 */
public final class BenchTables {
  private static final int DATA_FILES = 16;
  private static final int DELETE_FILES = 50;
  private static final int DELETED_SHARE = 10;
  private static final List<String> COLUMNS =
      List.of("id", "qty", "price", "tax", "day", "flag", "mode", "code");
  private static final Namespace BENCH = Namespace.of("bench");

  /** The columns of the tables. */
  static final Schema SCHEMA =
      new Schema(
          Types.NestedField.optional(1, "id", Types.LongType.get()),
          Types.NestedField.optional(2, "qty", Types.IntegerType.get()),
          Types.NestedField.optional(3, "price", Types.DoubleType.get()),
          Types.NestedField.optional(4, "tax", Types.DoubleType.get()),
          Types.NestedField.optional(5, "day", Types.DateType.get()),
          Types.NestedField.optional(6, "flag", Types.StringType.get()),
          Types.NestedField.optional(7, "mode", Types.StringType.get()),
          Types.NestedField.optional(8, "code", Types.LongType.get()));

  private final Path folder;
  private final long rows;

  private BenchTables(Path folder, long rows) {
    this.folder = folder;
    this.rows = rows;
  }

  /**
   * @param arguments the folder for files and catalog, and the number of rows
   */
  public static void main(String[] arguments) throws IOException, SQLException {
    new BenchTables(Path.of(arguments[0]).toAbsolutePath(), Long.parseLong(arguments[1])).make();
  }

  private void make() throws IOException, SQLException {
    Files.createDirectories(folder.resolve("data"));
    Files.createDirectories(folder.resolve("deletes"));
    List<Path> data = new ArrayList<>();
    List<Path> deletes = new ArrayList<>();
    try (Connection duckdb = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duckdb.createStatement()) {
      for (int file = 0; file < DATA_FILES; file++) {
        data.add(writeData(statement, file));
      }
      for (int file = 0; file < DELETE_FILES; file++) {
        deletes.add(writeDeletes(statement, file));
      }
    }
    commit(data, deletes);
  }

  private Path writeData(Statement statement, int file) throws SQLException {
    Path path = folder.resolve("data").resolve("data-%02d.parquet".formatted(file));
    long perFile = rows / DATA_FILES;
    statement.execute(
        """
        COPY (
          SELECT i AS id, CAST(hash(i) %% 50 + 1 AS INTEGER) AS qty,
            CAST(hash(i + 1) %% 10000000 AS DOUBLE) / 100 AS price, CAST(hash(i + 2) %% 9 AS DOUBLE) / 100 AS tax,
            DATE '1992-01-01' + CAST(hash(i + 3) %% 2500 AS INTEGER) AS day,
            ['A', 'N', 'R'][CAST(hash(i + 4) %% 3 + 1 AS INTEGER)] AS flag,
            ['AIR', 'FOB', 'MAIL', 'RAIL', 'REG AIR', 'SHIP', 'TRUCK'][CAST(hash(i + 5) %% 7 + 1 AS INTEGER)] AS mode,
            CAST(hash(i + 6) %% 1000000007 AS BIGINT) AS code
          FROM range(%d, %d) t (i)
        ) TO '%s' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 1000000, FIELD_IDS %s)"""
            .formatted(
                file * perFile,
                (file + 1) * perFile,
                path,
                ParquetTable.fieldIds(SCHEMA, COLUMNS)));
    return path;
  }

  /**
   * Keys spread over the whole table: file f holds ids ≡ 10 · k with k ≡ f modulo the number of
   * delete files.
   */
  private Path writeDeletes(Statement statement, int file) throws SQLException {
    Path path = folder.resolve("deletes").resolve("eq-%02d.parquet".formatted(file));
    long keys = rows / DELETED_SHARE / DELETE_FILES;
    statement.execute(
        """
        COPY (SELECT (i * %d + %d) * %d AS id FROM range(%d) t (i) ORDER BY hash(i))
        TO '%s' (FORMAT parquet, COMPRESSION zstd, FIELD_IDS %s)"""
            .formatted(
                DELETE_FILES,
                file,
                DELETED_SHARE,
                keys,
                path,
                ParquetTable.fieldIds(SCHEMA, List.of("id"))));
    return path;
  }

  private void commit(List<Path> data, List<Path> deletes) throws IOException {
    try (JdbcCatalog catalog = new JdbcCatalog()) {
      catalog.initialize(
          "bench",
          Map.of(
              "uri", "jdbc:sqlite:" + folder.resolve("bench.db"),
              "warehouse", "file:" + folder.resolve("warehouse")));
      catalog.createNamespace(BENCH);
      for (String name : List.of("clean", "eq4m")) {
        Table table =
            catalog.createTable(
                TableIdentifier.of(BENCH, name),
                SCHEMA,
                PartitionSpec.unpartitioned(),
                Map.of("format-version", "2"));
        ParquetTable files = new ParquetTable(table);
        AppendFiles append = table.newAppend();
        data.forEach(file -> append.appendFile(files.dataFile(file)));
        append.commit();
      }
      Table table = catalog.loadTable(TableIdentifier.of(BENCH, "eq4m"));
      ParquetTable files = new ParquetTable(table);
      for (Path file : deletes) {
        table.newRowDelta().addDeletes(files.equalityDeleteFile(file, 1)).commit();
      }
    }
  }
}
