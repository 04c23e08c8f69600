package io.fulmar.catalog.decode;

import static io.fulmar.catalog.decode.DecodeHarness.row;
import static io.fulmar.catalog.decode.DecodeHarness.struct;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fulmar.catalog.decode.FileReadRequest.RowPosition;
import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Schema;
import org.apache.iceberg.mapping.MappedField;
import org.apache.iceberg.mapping.MappedFields;
import org.apache.iceberg.mapping.NameMapping;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;
import org.apache.orc.OrcFile;
import org.apache.orc.TypeDescription;
import org.apache.orc.Writer;
import org.apache.orc.storage.ql.exec.vector.BytesColumnVector;
import org.apache.orc.storage.ql.exec.vector.DateColumnVector;
import org.apache.orc.storage.ql.exec.vector.ListColumnVector;
import org.apache.orc.storage.ql.exec.vector.LongColumnVector;
import org.apache.orc.storage.ql.exec.vector.MapColumnVector;
import org.apache.orc.storage.ql.exec.vector.StructColumnVector;
import org.apache.orc.storage.ql.exec.vector.VectorizedRowBatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of other writers than Iceberg's: no field ids (rule R32), other forms of one type. */
class FileDecoderImportTest {
  private static final Schema NESTED =
      new Schema(
          NestedField.optional(1, "id", Types.LongType.get()),
          NestedField.optional(2, "labels", Types.ListType.ofOptional(3, Types.StringType.get())),
          NestedField.optional(
              4,
              "props",
              Types.MapType.ofOptional(5, 6, Types.StringType.get(), Types.IntegerType.get())),
          NestedField.optional(
              7,
              "point",
              Types.StructType.of(
                  NestedField.optional(9, "caption", Types.StringType.get()),
                  NestedField.optional(8, "x", Types.IntegerType.get()))));

  private static final NameMapping MAPPING =
      NameMapping.of(
          MappedField.of(1, List.of("ident", "key")),
          MappedField.of(2, "labels", MappedFields.of(MappedField.of(3, "element"))),
          MappedField.of(
              4, "props", MappedFields.of(MappedField.of(5, "key"), MappedField.of(6, "value"))),
          MappedField.of(
              7, "pt", MappedFields.of(MappedField.of(8, "x"), MappedField.of(9, "text"))));

  @TempDir private Path folder;

  /** One row: key 1, labels [a, b], props {k: 1}, pt {x: 10, text: ten}. */
  private DecodeHarness imported(FileFormat format) throws IOException {
    DecodeHarness file = new DecodeHarness(folder, format);
    if (format == FileFormat.ORC) {
      writeOrc(file.file());
    } else {
      writeAvro(file.file());
    }
    return file;
  }

  private static void writeAvro(Path file) throws IOException {
    org.apache.avro.Schema point =
        SchemaBuilder.record("pt").fields().optionalInt("x").optionalString("text").endRecord();
    org.apache.avro.Schema schema =
        SchemaBuilder.record("row")
            .fields()
            .optionalLong("key")
            .name("labels")
            .type()
            .nullable()
            .array()
            .items()
            .nullable()
            .stringType()
            .noDefault()
            .name("props")
            .type()
            .nullable()
            .map()
            .values()
            .nullable()
            .intType()
            .noDefault()
            .name("pt")
            .type(point)
            .noDefault()
            .endRecord();
    writeAvro(
        file,
        new GenericRecordBuilder(schema)
            .set("key", 1L)
            .set("labels", List.of("a", "b"))
            .set("props", Map.of("k", 1))
            .set("pt", new GenericRecordBuilder(point).set("x", 10).set("text", "ten").build())
            .build());
  }

  private static void writeAvro(Path file, GenericData.Record record) throws IOException {
    try (DataFileWriter<GenericData.Record> writer =
        new DataFileWriter<>(new GenericDatumWriter<>(record.getSchema()))) {
      writer.create(record.getSchema(), file.toFile());
      writer.append(record);
    }
  }

  private static void writeOrc(Path file) throws IOException {
    TypeDescription schema =
        TypeDescription.fromString(
            "struct<key:bigint,labels:array<string>,props:map<string,int>,pt:struct<x:int,text:string>>");
    try (Writer writer =
        OrcFile.createWriter(
            new org.apache.hadoop.fs.Path(file.toUri()),
            OrcFile.writerOptions(new Configuration(false)).setSchema(schema))) {
      VectorizedRowBatch batch = schema.createRowBatch(1);
      batch.size = 1;
      ((LongColumnVector) batch.cols[0]).vector[0] = 1;
      ListColumnVector labels = (ListColumnVector) batch.cols[1];
      labels.lengths[0] = 2;
      labels.child.ensureSize(2, false);
      text(labels.child, 0, "a");
      text(labels.child, 1, "b");
      MapColumnVector props = (MapColumnVector) batch.cols[2];
      props.lengths[0] = 1;
      text(props.keys, 0, "k");
      ((LongColumnVector) props.values).vector[0] = 1;
      StructColumnVector point = (StructColumnVector) batch.cols[3];
      ((LongColumnVector) point.fields[0]).vector[0] = 10;
      text(point.fields[1], 0, "ten");
      writer.addRowBatch(batch);
    }
  }

  private static void text(
      org.apache.orc.storage.ql.exec.vector.ColumnVector vector, int row, String value) {
    ((BytesColumnVector) vector).setVal(row, value.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @EnumSource(names = {"ORC", "AVRO"})
  void nameMappingsGiveIdsAtEveryDepth(FileFormat format) throws IOException {
    assertEquals(
        List.of(row(1L, row("a", "b"), List.of(row("k", 1)), struct("caption", "ten", "x", 10))),
        imported(format).mapping(MAPPING).read(NESTED));
  }

  @ParameterizedTest
  @EnumSource(names = {"ORC", "AVRO"})
  void namesThatTheMappingDoesNotKnowAreAbsent(FileFormat format) throws IOException {
    NameMapping other =
        NameMapping.of(
            MappedField.of(1, "id"),
            MappedField.of((Integer) null, "labels"),
            MappedField.of(7, "pt", MappedFields.of(MappedField.of(8, "x"))));
    assertEquals(
        List.of(row(null, null, null, struct("caption", null, "x", 10))),
        imported(format).mapping(other).read(NESTED));
  }

  @ParameterizedTest
  @EnumSource(names = {"ORC", "AVRO"})
  void dotsInNamesAreLetters(FileFormat format) throws IOException {
    NameMapping dotted = NameMapping.of(MappedField.of(8, "pt.x"), MappedField.of(1, "key"));
    Schema schema = new Schema(NestedField.optional(8, "x", Types.IntegerType.get()));
    assertEquals(List.of(row((Object) null)), imported(format).mapping(dotted).read(schema));
  }

  @ParameterizedTest
  @EnumSource(names = {"ORC", "AVRO"})
  void twoColumnsOfOneIdAreAnError(FileFormat format) throws IOException {
    DecodeHarness file =
        imported(format).mapping(NameMapping.of(MappedField.of(1, List.of("key", "labels"))));
    FulmarException error = assertThrows(FulmarException.class, () -> file.read(NESTED));
    assertEquals(ErrorCode.SCHEMA_MISMATCH, error.code());
  }

  @ParameterizedTest
  @EnumSource(names = {"ORC", "AVRO"})
  void withoutIdsAndMappingNothingIsGuessed(FileFormat format) throws IOException {
    DecodeHarness file = imported(format);
    Schema key = new Schema(NestedField.optional(1, "key", Types.LongType.get()));
    FulmarException error = assertThrows(FulmarException.class, () -> file.read(key));
    assertEquals(ErrorCode.SCHEMA_MISMATCH, error.code());
    assertTrue(
        error.getMessage().contains("has no field ids and the table no name mapping"),
        error.getMessage());
    assertEquals(List.of(row(7L)), file.constants(Map.of(1, 7L), Set.of()).read(key));
    assertEquals(List.of(row(0L)), file.read(file.request(new Schema(), RowPosition.APPENDED), 10));
  }

  @ParameterizedTest
  @EnumSource(names = {"ORC", "AVRO"})
  void mappingsDoNotCountForFilesWithIds(FileFormat format) {
    Schema schema = new Schema(NestedField.optional(1, "a", Types.LongType.get()));
    Schema other = new Schema(NestedField.optional(2, "a", Types.LongType.get()));
    DecodeHarness file =
        new DecodeHarness(folder, format)
            .write(schema, org.apache.iceberg.data.GenericRecord.create(schema).copy("a", 5L))
            .mapping(NameMapping.of(MappedField.of(2, "a")));
    assertEquals(List.of(row((Object) null)), file.read(other));
  }

  private List<Object> readAvro(String avroType, Object value, Type type) throws IOException {
    DecodeHarness file = new DecodeHarness(folder, FileFormat.AVRO);
    org.apache.avro.Schema schema =
        new org.apache.avro.Schema.Parser()
            .parse(
                "{\"type\":\"record\",\"name\":\"row\",\"fields\":[{\"name\":\"c\",\"type\":"
                    + avroType
                    + "}]}");
    writeAvro(file.file(), new GenericRecordBuilder(schema).set("c", value).build());
    Schema fields = new Schema(NestedField.optional(1, "c", type));
    return file.mapping(NameMapping.of(MappedField.of(1, "c"))).read(fields).get(0);
  }

  @Test
  void avroFormsOfOtherWriters() throws IOException {
    LocalDateTime time = LocalDateTime.of(1969, 12, 31, 23, 59, 59, 999_000_000);
    assertEquals(
        row(time),
        readAvro(
            "{\"type\":\"long\",\"logicalType\":\"timestamp-millis\"}",
            -1L,
            Types.TimestampType.withoutZone()));
    assertEquals(
        row(-1000L),
        readAvro(
            "{\"type\":\"long\",\"logicalType\":\"timestamp-millis\"}",
            -1L,
            Types.TimestampType.withZone()));
    assertEquals(
        row(time),
        readAvro(
            "{\"type\":\"long\",\"logicalType\":\"local-timestamp-micros\"}",
            -1000L,
            Types.TimestampType.withoutZone()));
    assertEquals(
        row(5000L),
        readAvro("{\"type\":\"int\",\"logicalType\":\"time-millis\"}", 5, Types.TimeType.get()));
    assertEquals(row("x"), readAvro("[\"string\",\"null\"]", "x", Types.StringType.get()));
    assertEquals(
        row("B"),
        readAvro(
            "{\"type\":\"enum\",\"name\":\"e\",\"symbols\":[\"A\",\"B\"]}",
            new GenericData.EnumSymbol(SchemaBuilder.enumeration("e").symbols("A", "B"), "B"),
            Types.StringType.get()));
    assertEquals(row((Object) null), readAvro("\"null\"", null, Types.StringType.get()));
    assertEquals(
        row(new java.math.BigDecimal("-0.01")),
        readAvro(
            "{\"type\":\"bytes\",\"logicalType\":\"decimal\",\"precision\":4,\"scale\":2}",
            ByteBuffer.wrap(new byte[] {-1}),
            Types.DecimalType.of(9, 2)));
    ByteBuffer uuid = ByteBuffer.allocate(16).putLong(0).putLong(1).flip();
    assertEquals(
        row(uuid),
        readAvro(
            "{\"type\":\"string\",\"logicalType\":\"uuid\"}",
            "00000000-0000-0000-0000-000000000001",
            Types.UUIDType.get()));
  }

  @Test
  void avroTypesThatSayAnotherZoneOrAreUnions() {
    for (String type :
        List.of(
            "{\"type\":\"long\",\"logicalType\":\"local-timestamp-micros\"}",
            "{\"type\":\"long\",\"logicalType\":\"timestamp-micros\",\"adjust-to-utc\":false}",
            "{\"type\":\"long\",\"logicalType\":\"timestamp-nanos\"}",
            "[\"null\",\"long\",\"int\"]",
            "\"long\"")) {
      FulmarException error =
          assertThrows(
              FulmarException.class,
              () -> readAvro(type, 1L, Types.TimestampType.withZone()),
              type);
      assertEquals(ErrorCode.SCHEMA_MISMATCH, error.code(), type);
    }
  }

  @Test
  void wideValuesMakeShortBatches() throws IOException {
    Schema schema = new Schema(NestedField.optional(1, "c", Types.StringType.get()));
    String wide = "x".repeat(6 << 20);
    DecodeHarness file = new DecodeHarness(folder, FileFormat.AVRO);
    file.write(
        schema,
        java.util.stream.IntStream.range(0, 7)
            .<org.apache.iceberg.data.Record>mapToObj(
                i -> org.apache.iceberg.data.GenericRecord.create(schema).copy("c", wide))
            .toList());
    try (org.apache.arrow.memory.BufferAllocator allocator =
            new org.apache.arrow.memory.RootAllocator();
        io.fulmar.catalog.host.BatchReader reader =
            new FileDecoder()
                .open(file.request(schema, RowPosition.OMITTED), new LocalIo(), allocator, 1000)) {
      assertTrue(reader.next());
      assertEquals(3, reader.root().getRowCount());
    }
  }

  @Test
  void variantsOfAvro() throws IOException {
    byte[] metadata = {1, 0, 0};
    byte[] value = {12, 7};
    org.apache.avro.Schema variant =
        SchemaBuilder.record("v")
            .fields()
            .requiredBytes("metadata")
            .requiredBytes("value")
            .endRecord();
    assertEquals(
        row(struct("metadata", ByteBuffer.wrap(metadata), "value", ByteBuffer.wrap(value))),
        readAvro(
            variant.toString(),
            new GenericRecordBuilder(variant)
                .set("metadata", ByteBuffer.wrap(metadata))
                .set("value", ByteBuffer.wrap(value))
                .build(),
            Types.VariantType.get()));
  }

  @Test
  void variantsOfOrc() throws IOException {
    DecodeHarness file = new DecodeHarness(folder, FileFormat.ORC);
    TypeDescription schema =
        TypeDescription.fromString("struct<c:struct<value:binary,metadata:binary>>");
    try (Writer writer =
        OrcFile.createWriter(
            new org.apache.hadoop.fs.Path(file.file().toUri()),
            OrcFile.writerOptions(new Configuration(false)).setSchema(schema))) {
      VectorizedRowBatch batch = schema.createRowBatch(2);
      batch.size = 2;
      StructColumnVector variant = (StructColumnVector) batch.cols[0];
      ((BytesColumnVector) variant.fields[0]).setVal(0, new byte[] {12, 7});
      ((BytesColumnVector) variant.fields[1]).setVal(0, new byte[] {1, 0, 0});
      variant.noNulls = false;
      variant.isNull[1] = true;
      writer.addRowBatch(batch);
    }
    Schema fields = new Schema(NestedField.optional(1, "c", Types.VariantType.get()));
    assertEquals(
        List.of(
            row(
                struct(
                    "metadata",
                    ByteBuffer.wrap(new byte[] {1, 0, 0}),
                    "value",
                    ByteBuffer.wrap(new byte[] {12, 7}))),
            row((Object) null)),
        file.mapping(NameMapping.of(MappedField.of(1, "c"))).read(fields));
  }

  /** Iceberg's writers leave the calendar flag out and mean the proleptic one, as others say. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void ancientDatesOfOrcAreTakenAsTheyAreStored(boolean proleptic) throws IOException {
    int day = (int) LocalDate.of(1, 1, 1).toEpochDay();
    DecodeHarness file = new DecodeHarness(folder, FileFormat.ORC);
    TypeDescription schema = TypeDescription.fromString("struct<c:date>");
    try (Writer writer =
        OrcFile.createWriter(
            new org.apache.hadoop.fs.Path(file.file().toUri()),
            OrcFile.writerOptions(new Configuration(false))
                .setProlepticGregorian(proleptic)
                .setSchema(schema))) {
      VectorizedRowBatch batch = schema.createRowBatch(1);
      batch.size = 1;
      DateColumnVector dates = (DateColumnVector) batch.cols[0];
      dates.changeCalendar(proleptic, false);
      dates.vector[0] = day;
      writer.addRowBatch(batch);
    }
    Schema fields = new Schema(NestedField.optional(1, "c", Types.DateType.get()));
    assertEquals(
        List.of(row(day)), file.mapping(NameMapping.of(MappedField.of(1, "c"))).read(fields));
  }
}
