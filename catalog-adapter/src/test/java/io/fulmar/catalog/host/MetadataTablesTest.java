package io.fulmar.catalog.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.metadata.TableSnapshot;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileMetadata;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.deletes.BaseDVFileWriter;
import org.apache.iceberg.deletes.PositionDelete;
import org.apache.iceberg.deletes.PositionDeleteWriter;
import org.apache.iceberg.encryption.EncryptedFiles;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.formats.FormatModelRegistry;
import org.apache.iceberg.inmemory.InMemoryCatalog;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MetadataTablesTest {
  private static final TableIdentifier NAME = TableIdentifier.of("db", "t");
  private static final Schema SCHEMA =
      new Schema(
          NestedField.optional(1, "id", Types.LongType.get()),
          NestedField.optional(2, "a", Types.StringType.get()),
          NestedField.optional(3, "pos", Types.IntegerType.get()));

  private final InMemoryCatalog catalog = new InMemoryCatalog();

  @BeforeEach
  void open() {
    catalog.initialize("test", Map.of());
    catalog.createNamespace(Namespace.of("db"));
  }

  @AfterEach
  void close() throws IOException {
    catalog.close();
  }

  private Table create(int formatVersion, PartitionSpec spec) {
    return catalog
        .buildTable(NAME, SCHEMA)
        .withPartitionSpec(spec)
        .withProperty("format-version", String.valueOf(formatVersion))
        .create();
  }

  private static DataFile data(Table table, String name, String partition) {
    return data(table.spec(), name, partition, 10);
  }

  private static DataFile data(PartitionSpec spec, String name, String partition, long rows) {
    DataFiles.Builder builder =
        DataFiles.builder(spec)
            .withPath("mem://" + name)
            .withFormat(FileFormat.PARQUET)
            .withFileSizeInBytes(100)
            .withRecordCount(rows);
    return (partition.isEmpty() ? builder : builder.withPartitionPath(partition)).build();
  }

  private static HostTable find(Table table, String name) {
    return find(table, name, Optional.ofNullable(table.currentSnapshot()));
  }

  private static HostTable find(Table table, String name, Optional<Snapshot> snapshot) {
    TableSnapshot pinned =
        new TableSnapshot(
            "cat",
            NAME,
            ((BaseTable) table).operations().current(),
            table.io(),
            path -> path,
            snapshot,
            table.schema(),
            Map.of());
    return MetadataTables.find(pinned, name).orElseThrow();
  }

  @Test
  void allSixteenAreThereAndNoOther() {
    assertEquals(16, MetadataTables.names().size());
    Table table = create(2, PartitionSpec.unpartitioned());
    for (String name : MetadataTables.names()) {
      assertEquals("cat.db.t$" + name, find(table, name.toUpperCase()).name());
    }
    TableSnapshot pinned =
        new TableSnapshot(
            "cat",
            NAME,
            ((BaseTable) table).operations().current(),
            table.io(),
            path -> path,
            Optional.empty(),
            SCHEMA,
            Map.of());
    assertTrue(MetadataTables.find(pinned, "all_snapshots").isEmpty());
  }

  @Test
  void withoutASnapshotOnlyTheLogHasRows() {
    Table table = create(3, PartitionSpec.builderFor(SCHEMA).identity("a").build());
    for (String name : MetadataTables.names()) {
      assertEquals(
          name.equals("metadata_log_entries") ? 1 : 0,
          HostTables.rows(find(table, name), 10).size(),
          name);
    }
  }

  @Test
  void entriesShowDeletedFilesAndFilesDoNot() {
    Table table = create(2, PartitionSpec.unpartitioned());
    table
        .newAppend()
        .appendFile(data(table, "one", ""))
        .appendFile(data(table, "two", ""))
        .commit();
    table.newDelete().deleteFile("mem://one").commit();
    assertEquals(
        List.of("[0, 1]", "[2, 1]"),
        HostTables.columns(find(table, "entries"), "status", "sequence_number"));
    assertEquals(List.of("[mem://two]"), HostTables.columns(find(table, "files"), "file_path"));
    assertEquals(
        List.of("[mem://one]", "[mem://two]"),
        HostTables.columns(find(table, "all_files"), "file_path").stream().distinct().toList());
    assertEquals(
        List.of("[append]", "[delete]"), HostTables.columns(find(table, "snapshots"), "operation"));
    assertEquals(
        List.of("[true]", "[true]"),
        HostTables.columns(find(table, "history"), "is_current_ancestor"));
    assertEquals(
        List.of("[main, BRANCH]"), HostTables.columns(find(table, "refs"), "name", "type"));
  }

  @Test
  void aPinnedSnapshotHasItsOwnFiles() {
    Table table = create(2, PartitionSpec.unpartitioned());
    table.newAppend().appendFile(data(table, "one", "")).commit();
    Snapshot first = table.currentSnapshot();
    table.newAppend().appendFile(data(table, "two", "")).commit();
    for (String name : List.of("files", "data_files", "entries", "manifests", "partitions")) {
      HostTable then = find(table, name, Optional.of(first));
      assertEquals(1, HostTables.rows(then, 10).size(), name);
    }
    assertEquals(
        List.of("[1]"),
        HostTables.columns(find(table, "partitions", Optional.of(first)), "file_count"));
    assertEquals(List.of("[2]"), HostTables.columns(find(table, "partitions"), "file_count"));
    assertEquals(2, HostTables.rows(find(table, "snapshots", Optional.of(first)), 10).size());
  }

  @Test
  void partitionsOfDifferentSpecsStayApart() {
    Table table = create(2, PartitionSpec.builderFor(SCHEMA).identity("a").build());
    String nothing = "a=__HIVE_DEFAULT_PARTITION__";
    table
        .newAppend()
        .appendFile(data(table, "x1", "a=x"))
        .appendFile(data(table, "x2", "a=x"))
        .appendFile(data(table, "null0", nothing))
        .commit();
    table.updateSpec().removeField("a").addField("pos").commit();
    table.newAppend().appendFile(data(table, "null1", "pos=__HIVE_DEFAULT_PARTITION__")).commit();
    DeleteFile deletes =
        FileMetadata.deleteFileBuilder(table.specs().get(0))
            .ofEqualityDeletes(1)
            .withPath("mem://eq")
            .withFormat(FileFormat.PARQUET)
            .withFileSizeInBytes(10)
            .withRecordCount(3)
            .withPartitionPath("a=x")
            .build();
    table.newRowDelta().addDeletes(deletes).commit();
    assertEquals(
        List.of(
            "[{\"a\":\"x\"}, 0, 20, 2, 200, 3, 1]",
            "[{}, 0, 10, 1, 100, 0, 0]",
            "[{}, 1, 10, 1, 100, 0, 0]"),
        HostTables.columns(
            find(table, "partitions"),
            "partition",
            "spec_id",
            "record_count",
            "file_count",
            "total_data_file_size_in_bytes",
            "equality_delete_record_count",
            "equality_delete_file_count"));
    long last = table.currentSnapshot().snapshotId();
    assertTrue(
        HostTables.columns(find(table, "partitions"), "spec_id", "last_updated_snapshot_id")
            .contains("[0, " + last + "]"));
  }

  @Test
  void partitionsOfADroppedColumnStayApart() {
    Table table = create(2, PartitionSpec.builderFor(SCHEMA).identity("a").identity("pos").build());
    table
        .newAppend()
        .appendFile(data(table, "x", "a=x/pos=1"))
        .appendFile(data(table, "y", "a=y/pos=1"))
        .commit();
    table.updateSpec().removeField("a").commit();
    table.updateSchema().deleteColumn("a").commit();
    table.newAppend().appendFile(data(table, "later", "pos=1")).commit();
    assertEquals(
        List.of(
            "[{\"a\":\"x\",\"pos\":1}, 0, 10, 1]",
            "[{\"a\":\"y\",\"pos\":1}, 0, 10, 1]",
            "[{\"pos\":1}, 1, 10, 1]"),
        HostTables.columns(
            find(table, "partitions"), "partition", "spec_id", "record_count", "file_count"));
  }

  /** Manifests that cannot match are never opened: they are gone here. */
  @Test
  void filtersSkipManifests() {
    Table table = create(2, PartitionSpec.builderFor(SCHEMA).identity("a").build());
    table.newFastAppend().appendFile(data(table, "x", "a=x")).commit();
    table.newFastAppend().appendFile(data(table, "y", "a=y")).commit();
    String gone =
        table.currentSnapshot().allManifests(table.io()).stream()
            .filter(manifest -> manifest.snapshotId() == table.currentSnapshot().snapshotId())
            .findFirst()
            .orElseThrow()
            .path();
    table.io().deleteFile(gone);
    assertRows(1, table, "files", Expressions.equal("partition.a", "x"));
    assertRows(1, table, "data_files", Expressions.lessThan("partition.a", "y"));
    assertRows(1, table, "partitions", Expressions.startsWith("partition.a", "x"));
    assertRows(1, table, "entries", Expressions.equal("data_file.partition.a", "x"));
    assertRows(0, table, "files", Expressions.equal("spec_id", 7));
    assertRows(0, table, "files", Expressions.in("content", 1, 2));
    assertRows(0, table, "partitions", Expressions.isNull("partition.a"));
    for (String name : List.of("files", "entries", "partitions")) {
      assertThrows(FulmarException.class, () -> HostTables.rows(find(table, name), 10), name);
    }
  }

  @Test
  void filtersLeaveOutRowsOnlyWhereTheyCannotMatch() {
    Table table = create(2, PartitionSpec.builderFor(SCHEMA).identity("a").build());
    table
        .newAppend()
        .appendFile(data(table, "x", "a=x"))
        .appendFile(data(table, "none", "a=__HIVE_DEFAULT_PARTITION__"))
        .commit();
    table.updateSpec().removeField("a").commit();
    table.newAppend().appendFile(data(table, "later", "")).commit();
    assertRows(1, table, "files", Expressions.equal("file_path", "mem://x"));
    assertRows(2, table, "files", Expressions.isNull("partition.a"));
    assertRows(2, table, "partitions", Expressions.isNull("partition.a"));
    assertRows(1, table, "partitions", Expressions.equal("spec_id", 1));
    assertRows(3, table, "files", Expressions.greaterThan("record_count", 9L));
    assertRows(0, table, "files", Expressions.greaterThan("record_count", 10L));
    assertRows(3, table, "files", Expressions.notEqual("file_path", "mem://y"));
    assertRows(1, table, "snapshots", Expressions.isNull("parent_id"));
  }

  private static void assertRows(int count, Table table, String name, Expression filter) {
    assertEquals(
        count,
        HostTables.rows(find(table, name).filtered(filter), 10).size(),
        () -> name + " where " + filter);
  }

  @Test
  void positionDeletesOfEveryFormat() throws IOException {
    Table table = create(2, PartitionSpec.builderFor(SCHEMA).identity("a").build());
    table.newAppend().appendFile(data(table, "data", "a=x")).commit();
    for (FileFormat format : List.of(FileFormat.PARQUET, FileFormat.ORC, FileFormat.AVRO)) {
      table.newRowDelta().addDeletes(positions(table, format)).commit();
    }
    List<String> expected = new ArrayList<>();
    for (String extension : List.of("avro", "orc", "parquet")) {
      for (long position : new long[] {3, 70_000}) {
        expected.add(
            "[mem://data, " + position + ", {\"a\":\"x\"}, 0, mem://deletes." + extension + "]");
      }
    }
    List<String> read =
        HostTables.columns(
            find(table, "position_deletes"),
            "file_path",
            "pos",
            "partition",
            "spec_id",
            "delete_file_path");
    assertEquals(expected.stream().sorted().toList(), read);
  }

  private static DeleteFile positions(Table table, FileFormat format) throws IOException {
    StructLike partition = data(table, "x", "a=x").partition();
    PositionDeleteWriter<Record> writer =
        FormatModelRegistry.<Record>positionDeleteWriteBuilder(
                format,
                EncryptedFiles.plainAsEncryptedOutput(
                    table.io().newOutputFile(format.addExtension("mem://deletes"))))
            .spec(table.spec())
            .partition(partition)
            .set("write.delete.parquet.compression-codec", "lz4")
            .build();
    try (writer) {
      for (long position : new long[] {3, 70_000}) {
        writer.write(PositionDelete.<Record>create().set("mem://data", position));
      }
    }
    return writer.toDeleteFile();
  }

  @Test
  void positionsOfDeletionVectors() throws IOException {
    Table table = create(3, PartitionSpec.unpartitioned());
    table.newAppend().appendFile(data(table.spec(), "data", "", 1_000_000)).commit();
    BaseDVFileWriter writer =
        new BaseDVFileWriter(
            OutputFileFactory.builderFor(table, 1, 1).format(FileFormat.PUFFIN).build(),
            path -> null);
    try (writer) {
      for (long position : new long[] {0, 65_535, 65_536, 999_999}) {
        writer.delete("mem://data", position, table.spec(), null);
      }
    }
    DeleteFile vector = writer.result().deleteFiles().get(0);
    table.newRowDelta().addDeletes(vector).commit();
    assertEquals(
        List.of("0", "65535", "65536", "999999"),
        HostTables.rows(find(table, "position_deletes"), 3).stream()
            .map(row -> String.valueOf(row.get("pos")))
            .toList());
    assertEquals(
        "[mem://data, " + vector.contentOffset() + "]",
        HostTables.columns(find(table, "position_deletes"), "file_path", "content_offset").get(0));
  }

  @Test
  void missingAndBrokenManifestsAreTypedErrors() throws IOException {
    Table table = create(2, PartitionSpec.unpartitioned());
    table.newAppend().appendFile(data(table, "one", "")).commit();
    String manifest = table.currentSnapshot().allManifests(table.io()).get(0).path();
    table.io().deleteFile(manifest);
    for (String name : List.of("files", "entries", "partitions", "all_entries")) {
      FulmarException error = failure(table, name);
      assertEquals(ErrorCode.FILE_NOT_FOUND, error.code(), error.getMessage());
      assertTrue(error.getMessage().contains(manifest), error.getMessage());
      assertTrue(error.getMessage().contains("cat.db.t$"), error.getMessage());
    }
    try (OutputStream out = table.io().newOutputFile(manifest).create()) {
      out.write("no manifest".getBytes(StandardCharsets.UTF_8));
    }
    assertEquals(ErrorCode.INVALID_METADATA, failure(table, "files").code());
  }

  private static FulmarException failure(Table table, String name) {
    return assertThrows(FulmarException.class, () -> HostTables.rows(find(table, name), 10), name);
  }
}
