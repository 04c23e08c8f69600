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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.deletes.BaseDVFileWriter;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.jdbc.JdbcCatalog;

/**
 * Makes tables over the data files of {@link BenchTables}, in catalog {@code positions}: {@code
 * bench.file_scoped} and {@code bench.partition_scoped} with a twentieth of the rows deleted by
 * about 1,000 position-delete files, {@code bench.dv1}, {@code dv10} and {@code dv50} with a
 * deletion vector of so many per cent for each file, and {@code bench.clean}.
 */
public final class PositionTables {
  private static final int DELETE_FILES = 1_000;
  private static final int DELETED_SHARE = 20;
  private static final int REMAINDER = 7;
  private static final long SPREAD = 7_919;
  private static final Namespace BENCH = Namespace.of("bench");

  private final Path folder;
  private final List<Path> data;
  private final long rowsPerFile;

  private PositionTables(Path folder, List<Path> data, long rows) {
    this.folder = folder;
    this.data = data;
    this.rowsPerFile = rows / data.size();
  }

  /**
   * @param arguments the folder for files and catalog, the folder of the data files, and the number
   *     of their rows
   */
  public static void main(String[] arguments) throws IOException, SQLException {
    List<Path> data;
    try (Stream<Path> files = Files.list(Path.of(arguments[1]).toAbsolutePath())) {
      data = files.sorted().toList();
    }
    long rows = Long.parseLong(arguments[2]);
    new PositionTables(Path.of(arguments[0]).toAbsolutePath(), data, rows).make();
  }

  private void make() throws IOException, SQLException {
    Files.createDirectories(folder.resolve("deletes"));
    try (JdbcCatalog catalog = new JdbcCatalog()) {
      catalog.initialize(
          "positions",
          Map.of(
              "uri", "jdbc:sqlite:" + folder.resolve("bench.db"),
              "warehouse", "file:" + folder.resolve("warehouse")));
      catalog.createNamespace(BENCH);
      create(catalog, "clean", 2);
      writePositions(create(catalog, "file_scoped", 2), create(catalog, "partition_scoped", 2));
      for (int share : List.of(1, 10, 50)) {
        writeVectors(create(catalog, "dv" + share, 3), share);
      }
    }
  }

  private Table create(JdbcCatalog catalog, String name, int version) {
    Table table =
        catalog.createTable(
            TableIdentifier.of(BENCH, name),
            BenchTables.SCHEMA,
            PartitionSpec.unpartitioned(),
            Map.of("format-version", Integer.toString(version)));
    ParquetTable files = new ParquetTable(table);
    AppendFiles append = table.newAppend();
    data.forEach(file -> append.appendFile(files.dataFile(file)));
    append.commit();
    return table;
  }

  private void writePositions(Table fileScoped, Table partitionScoped) throws SQLException {
    RowDelta byFile = fileScoped.newRowDelta();
    RowDelta byPartition = partitionScoped.newRowDelta();
    int perDataFile = (DELETE_FILES + data.size() - 1) / data.size();
    try (Connection duckdb = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duckdb.createStatement()) {
      for (Path file : data) {
        for (int part = 0; part < perDataFile; part++) {
          Path path = write(statement, List.of(file), perDataFile, part);
          byFile.addDeletes(new ParquetTable(fileScoped).fileDeletes(path, file));
        }
      }
      for (int part = 0; part < DELETE_FILES; part++) {
        Path path = write(statement, data, DELETE_FILES, part);
        byPartition.addDeletes(new ParquetTable(partitionScoped).positionDeletes(path));
      }
    }
    byFile.commit();
    byPartition.commit();
  }

  /** One of so many parts of the deleted positions of these files. */
  private Path write(Statement statement, List<Path> files, int parts, int part)
      throws SQLException {
    String scope = files.size() == 1 ? files.get(0).getFileName().toString() : "all";
    Path path = folder.resolve("deletes").resolve("%s-%04d.parquet".formatted(scope, part));
    String values =
        files.stream().map(file -> "('file:" + file + "')").collect(Collectors.joining(", "));
    statement.execute(
        """
        COPY (
          SELECT file_path, CAST(k * %d + %d AS BIGINT) AS pos
          FROM (VALUES %s) f (file_path), range(%d) t (k) WHERE k %% %d = %d ORDER BY file_path, pos
        ) TO '%s' (FORMAT parquet, COMPRESSION zstd, FIELD_IDS {file_path: 2147483546, pos: 2147483545})"""
            .formatted(
                DELETED_SHARE, REMAINDER, values, rowsPerFile / DELETED_SHARE, parts, part, path));
    return path;
  }

  private void writeVectors(Table table, int share) throws IOException {
    List<DeleteFile> vectors = new ArrayList<>();
    for (Path file : data) {
      OutputFileFactory places =
          OutputFileFactory.builderFor(table, 1, 1).format(FileFormat.PUFFIN).build();
      BaseDVFileWriter writer = new BaseDVFileWriter(places, path -> null);
      try (writer) {
        for (long position = 0; position < rowsPerFile; position++) {
          if (position * SPREAD % 100 < share) {
            writer.delete("file:" + file, position, table.spec(), null);
          }
        }
      }
      vectors.addAll(writer.result().deleteFiles());
    }
    RowDelta delta = table.newRowDelta();
    vectors.forEach(delta::addDeletes);
    delta.commit();
  }
}
