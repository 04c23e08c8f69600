package io.fulmar.it.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fulmar.it.client.JdbcClient;
import io.fulmar.it.client.SqlFailure;
import io.fulmar.it.server.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileMetadata;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.avro.Avro;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.avro.DataWriter;
import org.apache.iceberg.data.orc.GenericOrcWriter;
import org.apache.iceberg.data.parquet.GenericParquetWriter;
import org.apache.iceberg.hadoop.HadoopCatalog;
import org.apache.iceberg.io.FileAppender;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.orc.ORC;
import org.apache.iceberg.parquet.Parquet;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What writers once left, or may leave, that Iceberg's own no longer write: read, or refused. */
class OldWritersTest {
  private static final Schema SCHEMA =
      new Schema(
          Types.NestedField.required(1, "id", Types.LongType.get()),
          Types.NestedField.optional(2, "name", Types.StringType.get()));
  private static final Schema DELETES_WITH_ROWS =
      new Schema(
          MetadataColumns.DELETE_FILE_PATH,
          MetadataColumns.DELETE_FILE_POS,
          Types.NestedField.optional(
              MetadataColumns.DELETE_FILE_ROW_FIELD_ID, "row", SCHEMA.asStruct()));

  @TempDir private static Path folder;
  private static HadoopCatalog catalog;
  private static ServerProcess server;

  @BeforeAll
  static void start() {
    String warehouse = "file:" + folder.toAbsolutePath() + "/warehouse";
    catalog = new HadoopCatalog(new Configuration(), warehouse);
    server =
        ServerProcess.start(
            folder,
            """
            catalogs:
              lake: { type: hadoop, properties: { warehouse: "%s" } }
              other: { type: in-memory }
            """
                .formatted(warehouse),
            List.of());
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
    catalog.close();
  }

  /** Rule R24: rows in position deletes say nothing, even where they are not the file's. */
  @ParameterizedTest
  @CsvSource({
    "PARQUET, native",
    "ORC, native",
    "AVRO, native",
    "PARQUET, reference",
    "ORC, reference",
    "AVRO, reference"
  })
  void rowsOfPositionDeletes(FileFormat format, String backend) {
    Table table = create("rows_" + format + "_" + backend);
    DataFile data = append(table, format);
    String path = table.location() + "/data/deletes." + format.name();
    OutputFile out = table.io().newOutputFile(path);
    write(
        DELETES_WITH_ROWS,
        out,
        format,
        List.of(
            record(DELETES_WITH_ROWS, data.location(), 1L, record(SCHEMA, 1L, "another row")),
            record(DELETES_WITH_ROWS, data.location(), 2L, null)));
    DeleteFile deletes =
        FileMetadata.deleteFileBuilder(table.spec())
            .ofPositionDeletes()
            .withPath(path)
            .withFormat(format)
            .withFileSizeInBytes(out.toInputFile().getLength())
            .withRecordCount(2)
            .build();
    table.newRowDelta().addDeletes(deletes).commit();
    try (JdbcClient client = client(backend)) {
      assertEquals(List.of(List.of(1L, "a")), client.query(select(table)).rows());
    }
  }

  /** Rule R87: a file whose entry has key metadata is encrypted. */
  @ParameterizedTest
  @ValueSource(strings = {"native", "reference"})
  void encryptedFiles(String backend) {
    Table table = create("sealed_" + backend);
    DataFile plain = append(table, FileFormat.PARQUET);
    DataFile sealed =
        DataFiles.builder(table.spec())
            .copy(plain)
            .withPath(plain.location() + ".sealed")
            .withEncryptionKeyMetadata(ByteBuffer.wrap(new byte[] {1, 2, 3}))
            .build();
    table.newAppend().appendFile(sealed).commit();
    try (JdbcClient client = client(backend)) {
      SqlFailure failure = assertThrows(SqlFailure.class, () -> client.query(select(table)));
      assertTrue(failure.getMessage().contains("UNSUPPORTED_FILE"), failure.getMessage());
      assertTrue(failure.getMessage().contains(sealed.location()), failure.getMessage());
    }
  }

  /** Rule R51: a transform of several sources, of which the format defines none yet. */
  @Test
  void severalSourcesOfATransform() throws IOException {
    Table table =
        catalog.createTable(
            TableIdentifier.of("ns", "sources"),
            SCHEMA,
            PartitionSpec.builderFor(SCHEMA).identity("id").build());
    Path metadata = Path.of(URI.create(table.location() + "/metadata/v1.metadata.json"));
    String text = Files.readString(metadata, StandardCharsets.UTF_8);
    Path changed = folder.resolve("sources.metadata.json");
    Files.writeString(changed, text.replaceAll("\"source-id\" ?: ?1", "\"source-ids\":[1,2]"));
    try (JdbcClient client = client("native")) {
      client.update("CREATE SCHEMA other.s");
      SqlFailure failure =
          assertThrows(
              SqlFailure.class,
              () ->
                  client.update(
                      "CALL system.register_table('other', 's', 't', '%s')".formatted(changed)));
      assertTrue(failure.getMessage().contains("INVALID_METADATA"), failure.getMessage());
      assertTrue(failure.getMessage().contains(changed.toString()), failure.getMessage());
    }
  }

  private static Table create(String name) {
    return catalog.createTable(
        TableIdentifier.of("ns", name),
        SCHEMA,
        PartitionSpec.unpartitioned(),
        Map.of("format-version", "2"));
  }

  private static DataFile append(Table table, FileFormat format) {
    String path = table.location() + "/data/data." + format.name();
    OutputFile out = table.io().newOutputFile(path);
    write(
        SCHEMA,
        out,
        format,
        List.of(record(SCHEMA, 1L, "a"), record(SCHEMA, 2L, "b"), record(SCHEMA, 3L, "c")));
    DataFile data =
        DataFiles.builder(table.spec())
            .withPath(path)
            .withFormat(format)
            .withFileSizeInBytes(out.toInputFile().getLength())
            .withRecordCount(3)
            .build();
    table.newAppend().appendFile(data).commit();
    return data;
  }

  private static void write(
      Schema schema, OutputFile out, FileFormat format, List<Record> records) {
    try (FileAppender<Record> appender = appender(schema, out, format)) {
      appender.addAll(records);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static FileAppender<Record> appender(Schema schema, OutputFile out, FileFormat format)
      throws IOException {
    return switch (format) {
      case PARQUET ->
          Parquet.write(out)
              .schema(schema)
              .createWriterFunc(type -> GenericParquetWriter.create(schema, type))
              .build();
      case ORC ->
          ORC.write(out).schema(schema).createWriterFunc(GenericOrcWriter::buildWriter).build();
      case AVRO -> Avro.write(out).schema(schema).createWriterFunc(DataWriter::create).build();
      default -> throw new IllegalArgumentException("No writer of " + format);
    };
  }

  private static Record record(Schema schema, Object... values) {
    Record record = GenericRecord.create(schema);
    for (int i = 0; i < values.length; i++) {
      record.set(i, values[i]);
    }
    return record;
  }

  private static String select(Table table) {
    String name = table.name().substring(table.name().lastIndexOf('.') + 1);
    return "SELECT id, name FROM lake.ns.\"" + name + "\" ORDER BY id";
  }

  private static JdbcClient client(String backend) {
    JdbcClient client = JdbcClient.connect(server.port(), "rules");
    client.update("SET engine.backend = '" + backend + "'");
    return client;
  }
}
