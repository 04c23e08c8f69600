package io.fulmar.it.pruning;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fulmar.it.client.JdbcClient;
import io.fulmar.it.server.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionData;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.GenericFileWriterFactory;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.hadoop.HadoopCatalog;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a filter leaves unread, as EXPLAIN ANALYZE counts it, over a table of four partitions with a
 * manifest, a file and four row groups of 250 rows each; and the same rows without pruning.
 */
class PruningTest {
  private static final int FILES = 4;
  private static final int ROWS = 1_000;
  private static final Schema SCHEMA =
      new Schema(
          Types.NestedField.required(1, "id", Types.LongType.get()),
          Types.NestedField.required(2, "k", Types.StringType.get()),
          Types.NestedField.optional(3, "x", Types.DoubleType.get()));
  private static final PartitionSpec BY_THOUSANDS =
      PartitionSpec.builderFor(SCHEMA).truncate("id", ROWS).build();
  private static final Map<String, String> SMALL_GROUPS =
      Map.of(
          "write.parquet.row-group-size-bytes", "1024",
          "write.parquet.row-group-check-min-record-count", "250",
          "write.parquet.row-group-check-max-record-count", "250",
          "write.parquet.bloom-filter-enabled.column.k", "true",
          "write.parquet.bloom-filter-max-bytes", "4096");
  private static final Pattern MANIFESTS = Pattern.compile("data manifests (\\d+) read, (\\d+)");
  private static final Pattern READ = Pattern.compile("read: files (\\d+); row groups (\\d+) of");

  @TempDir private static Path folder;
  private static ServerProcess server;

  @BeforeAll
  static void start() throws IOException {
    String warehouse = "file:" + folder.toAbsolutePath() + "/warehouse";
    try (HadoopCatalog catalog = new HadoopCatalog(new Configuration(), warehouse)) {
      Table table = catalog.createTable(TableIdentifier.of("ns", "t"), SCHEMA, BY_THOUSANDS);
      for (int file = 0; file < FILES; file++) {
        append(table, file);
      }
    }
    server =
        ServerProcess.start(
            folder,
            "catalogs: { lake: { type: hadoop, properties: { warehouse: \"%s\" } } }"
                .formatted(warehouse),
            List.of("engine.threads=1"));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "WHERE id = 1500                                     | 1 | 1 | 1",
        "WHERE id BETWEEN 900 AND 1100                       | 2 | 2 | 2",
        "WHERE id IN (3, 3999)                               | 2 | 2 | 2",
        "WHERE id > 5000                                     | 0 | 0 | 0",
        "WHERE NOT id < 3750                                 | 1 | 1 | 1",
        "WHERE k = 'k-7777'                                  | 4 | 4 | 0",
        "WHERE x IS NULL                                     | 4 | 1 | 1",
        "WHERE x IS NULL AND id < 3000                       | 3 | 0 | 0",
        "WHERE x = CAST('NaN' AS DOUBLE)                     | 4 | 4 | 16",
        "WHERE x > 1e9 AND id < 1000                         | 1 | 1 | 4",
        "WHERE id + 1 = 1501                                 | 4 | 4 | 16",
        "WHERE id = 1500 OR abs(id) = 3                      | 4 | 4 | 16",
        "WHERE mod(id, 1000) = 0                             | 4 | 4 | 16",
        "WHERE id = (SELECT max(1500) FROM (VALUES (1)) v(i))| 4 | 1 | 1",
        "JOIN (VALUES (1500), (1501)) v(i) ON id = i         | 4 | 1 | 1"
      })
  void leavesUnread(String clause, int manifests, int files, int groups) {
    String sql = "SELECT id FROM lake.ns.t " + clause;
    try (JdbcClient client = JdbcClient.connect(server.port(), "pruning")) {
      String plan = analyze(client, sql);
      assertEquals(manifests, number(MANIFESTS, 1, plan), plan);
      assertEquals(FILES - manifests, number(MANIFESTS, 2, plan), plan);
      assertEquals(files, number(READ, 1, plan), plan);
      assertEquals(groups, number(READ, 2, plan), plan);
      List<List<Object>> rows = client.query(sql).rows();
      client.update("SET scan.pruning = false");
      String whole = analyze(client, sql);
      assertEquals(FILES, number(MANIFESTS, 1, whole), whole);
      assertEquals(16, number(READ, 2, whole), whole);
      assertEquals(rows, client.query(sql).rows());
    }
  }

  /** What the first rows leave of the others is known when the next file is opened. */
  @Test
  void topRowsLeaveFilesUnread() {
    try (JdbcClient client = JdbcClient.connect(server.port(), "pruning")) {
      String sql = "SELECT id FROM lake.ns.t ORDER BY id DESC LIMIT 3";
      String plan = analyze(client, sql);
      assertTrue(number(READ, 2, plan) <= 12, plan);
      List<List<Object>> rows = List.of(List.of(3999L), List.of(3998L), List.of(3997L));
      assertEquals(rows, client.query(sql).rows());
    }
  }

  private static String analyze(JdbcClient client, String sql) {
    return client.query("EXPLAIN ANALYZE " + sql).rows().stream()
        .map(row -> row.get(0).toString())
        .collect(Collectors.joining("\n"));
  }

  private static int number(Pattern pattern, int group, String text) {
    Matcher matcher = pattern.matcher(text);
    assertTrue(matcher.find(), text);
    return Integer.parseInt(matcher.group(group));
  }

  /** Keys are scattered, so that bounds of every file hold them all; x is NULL in one row group. */
  private static void append(Table table, int file) throws IOException {
    PartitionData partition = new PartitionData(table.spec().partitionType());
    partition.set(0, (long) file * ROWS);
    DataWriter<Record> writer =
        new GenericFileWriterFactory.Builder(table)
            .dataFileFormat(FileFormat.PARQUET)
            .dataSchema(SCHEMA)
            .writerProperties(SMALL_GROUPS)
            .build()
            .newDataWriter(
                OutputFileFactory.builderFor(table, file, 0)
                    .operationId(UUID.randomUUID().toString())
                    .format(FileFormat.PARQUET)
                    .build()
                    .newOutputFile(table.spec(), partition),
                table.spec(),
                partition);
    try (writer) {
      for (long id = (long) file * ROWS; id < (file + 1L) * ROWS; id++) {
        Record row = GenericRecord.create(SCHEMA);
        row.set(0, id);
        row.set(1, "k-" + Long.toHexString(id * 0x9E3779B97F4A7C15L));
        row.set(2, id >= 3_900 ? null : id % 250 == 7 ? Double.NaN : (double) id);
        writer.write(row);
      }
    }
    table.newFastAppend().appendFile(writer.toDataFile()).commit();
  }
}
