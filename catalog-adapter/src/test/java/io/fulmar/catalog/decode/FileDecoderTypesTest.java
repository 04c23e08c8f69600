package io.fulmar.catalog.decode;

import static io.fulmar.catalog.decode.DecodeHarness.row;
import static io.fulmar.catalog.decode.DecodeHarness.struct;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fulmar.catalog.decode.FileReadRequest.RowPosition;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FileDecoderTypesTest {
  private static final LocalDateTime EPOCH = LocalDateTime.of(1970, 1, 1, 0, 0);
  private static final UUID HIGH_UUID = UUID.fromString("f79c3e09-677c-4bbd-a479-3f349cb785e7");

  @TempDir private Path folder;

  private static Schema single(Type type) {
    return new Schema(Types.NestedField.optional(1, "c", type));
  }

  private List<List<Object>> readBack(FileFormat format, Type type, Object... values) {
    Schema schema = single(type);
    List<Record> rows = new ArrayList<>();
    for (Object value : values) {
      rows.add(GenericRecord.create(schema).copy("c", value));
    }
    rows.add(GenericRecord.create(schema));
    DecodeHarness harness = new DecodeHarness(folder, format).write(schema, rows);
    List<List<Object>> whole = harness.read(schema);
    FileReadRequest request = harness.request(schema, RowPosition.OMITTED);
    assertEquals(whole, harness.read(request, 1), "one row a batch");
    assertEquals(whole, harness.read(request, 2), "two rows a batch");
    assertEquals(row((Object) null), whole.get(values.length));
    return whole.subList(0, values.length);
  }

  private static List<List<Object>> column(Object... values) {
    List<List<Object>> rows = new ArrayList<>();
    for (Object value : values) {
      rows.add(row(value));
    }
    return rows;
  }

  @ParameterizedTest
  @EnumSource(names = {"ORC", "AVRO"})
  void booleansAndNumbers(FileFormat format) {
    assertEquals(column(true, false), readBack(format, Types.BooleanType.get(), true, false));
    assertEquals(
        column(Integer.MIN_VALUE, 0, Integer.MAX_VALUE),
        readBack(format, Types.IntegerType.get(), Integer.MIN_VALUE, 0, Integer.MAX_VALUE));
    assertEquals(
        column(Long.MIN_VALUE, -1L, Long.MAX_VALUE),
        readBack(format, Types.LongType.get(), Long.MIN_VALUE, -1L, Long.MAX_VALUE));
    assertEquals(
        column(Float.NaN, Float.MIN_VALUE, Float.NEGATIVE_INFINITY),
        readBack(
            format, Types.FloatType.get(), Float.NaN, Float.MIN_VALUE, Float.NEGATIVE_INFINITY));
    assertEquals(
        column(Double.NaN, Double.MAX_VALUE, Double.POSITIVE_INFINITY),
        readBack(
            format,
            Types.DoubleType.get(),
            Double.NaN,
            Double.MAX_VALUE,
            Double.POSITIVE_INFINITY));
  }

  @ParameterizedTest
  @EnumSource(names = {"ORC", "AVRO"})
  void zerosOfBothSignsStayApart(FileFormat format) {
    assertEquals(
        column(0.0, -0.0, 0.0, -0.0),
        readBack(format, Types.DoubleType.get(), 0.0, -0.0, 0.0, -0.0));
    assertEquals(
        column(-0.0f, 0.0f, 0.0f), readBack(format, Types.FloatType.get(), -0.0f, 0.0f, 0.0f));
    Schema required = new Schema(Types.NestedField.required(1, "c", Types.DoubleType.get()));
    List<Record> rows = new ArrayList<>();
    List<List<Object>> expected = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      double zero = i % 3 == 0 ? -0.0 : 0.0;
      rows.add(GenericRecord.create(required).copy("c", zero));
      expected.add(row(zero));
    }
    assertEquals(expected, new DecodeHarness(folder, format).write(required, rows).read(required));
  }

  @ParameterizedTest
  @EnumSource(names = {"ORC", "AVRO"})
  void decimalsOfEveryWidth(FileFormat format) {
    for (int precision : new int[] {1, 9, 18, 19, 38}) {
      BigDecimal largest = new BigDecimal("9".repeat(precision)).movePointLeft(1).setScale(1);
      assertEquals(
          column(largest, largest.negate(), new BigDecimal("0.0")),
          readBack(
              format,
              Types.DecimalType.of(precision, 1),
              largest,
              largest.negate(),
              new BigDecimal("0.0")));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"ORC", "AVRO"})
  void datesAndTimes(FileFormat format) {
    LocalDate ancient = LocalDate.of(1, 1, 1);
    assertEquals(
        column((int) ancient.toEpochDay(), -1, 0),
        readBack(
            format,
            Types.DateType.get(),
            ancient,
            LocalDate.of(1969, 12, 31),
            EPOCH.toLocalDate()));
    LocalTime late = LocalTime.of(23, 59, 59, 999_999_000);
    assertEquals(
        column(0L, 86_399_999_999L),
        readBack(format, Types.TimeType.get(), LocalTime.MIDNIGHT, late));
  }

  @ParameterizedTest
  @EnumSource(names = {"ORC", "AVRO"})
  void timestampsKeepTheirUnitBeforeTheEpochToo(FileFormat format) {
    LocalDateTime early = EPOCH.minusSeconds(10).plusNanos(123_456_000);
    LocalDateTime late = LocalDateTime.of(2262, 4, 11, 23, 47, 16, 854_775_000);
    assertEquals(
        column(early, late), readBack(format, Types.TimestampType.withoutZone(), early, late));
    assertEquals(
        column(micros(early), micros(late)),
        readBack(format, Types.TimestampType.withZone(), utc(early), utc(late)));
    LocalDateTime fine = early.plusNanos(789);
    assertEquals(
        column(fine, late), readBack(format, Types.TimestampNanoType.withoutZone(), fine, late));
    assertEquals(
        column(nanos(fine), nanos(late)),
        readBack(format, Types.TimestampNanoType.withZone(), utc(fine), utc(late)));
  }

  private static OffsetDateTime utc(LocalDateTime time) {
    return time.atOffset(ZoneOffset.UTC);
  }

  private static long micros(LocalDateTime time) {
    return ChronoUnit.MICROS.between(EPOCH, time);
  }

  private static long nanos(LocalDateTime time) {
    return ChronoUnit.NANOS.between(EPOCH, time);
  }

  @ParameterizedTest
  @EnumSource(names = {"ORC", "AVRO"})
  void textAndBytes(FileFormat format) {
    assertEquals(
        column("", "aé😀", "x".repeat(5000)),
        readBack(format, Types.StringType.get(), "", "aé😀", "x".repeat(5000)));
    assertEquals(
        column(ByteBuffer.wrap(new byte[0]), ByteBuffer.wrap(new byte[] {0, -1})),
        readBack(
            format,
            Types.BinaryType.get(),
            ByteBuffer.wrap(new byte[0]),
            ByteBuffer.wrap(new byte[] {0, -1})));
    byte[] three = {-1, 0, 7};
    byte[] zeros = {0, 0, 0};
    assertEquals(
        column(ByteBuffer.wrap(three), ByteBuffer.wrap(zeros)),
        readBack(format, Types.FixedType.ofLength(3), three, zeros));
    UUID low = new UUID(0, 1);
    assertEquals(
        column(bytes(HIGH_UUID), bytes(low)),
        readBack(format, Types.UUIDType.get(), HIGH_UUID, low));
  }

  private static ByteBuffer bytes(UUID uuid) {
    return ByteBuffer.allocate(16)
        .putLong(uuid.getMostSignificantBits())
        .putLong(uuid.getLeastSignificantBits())
        .flip();
  }

  @ParameterizedTest
  @EnumSource(names = {"ORC", "AVRO"})
  void nestedTypesWithNullsAtEveryLevel(FileFormat format) {
    Types.StructType point =
        Types.StructType.of(
            Types.NestedField.optional(10, "x", Types.IntegerType.get()),
            Types.NestedField.optional(
                11, "tags", Types.ListType.ofOptional(12, Types.StringType.get())));
    Types.MapType map = Types.MapType.ofOptional(20, 21, Types.StringType.get(), point);
    Types.ListType list = Types.ListType.ofOptional(30, map);
    Record full = GenericRecord.create(point).copy(struct("x", 1, "tags", row("a", null, "b")));
    Record empty = GenericRecord.create(point).copy(struct("tags", List.of()));
    Map<String, Object> first = struct("k", full, "n", null);
    assertEquals(
        column(
            row(
                List.of(row("k", struct("x", 1, "tags", row("a", null, "b"))), row("n", null)),
                null,
                List.of()),
            List.of(),
            row((Object) List.of(row("e", struct("x", null, "tags", List.of()))))),
        readBack(
            format, list, row(first, null, Map.of()), List.of(), row((Object) Map.of("e", empty))));
  }

  @ParameterizedTest
  @EnumSource(names = {"ORC", "AVRO"})
  void mapsWithKeysThatAreNoText(FileFormat format) {
    Types.MapType map =
        Types.MapType.ofOptional(2, 3, Types.LongType.get(), Types.DoubleType.get());
    assertEquals(
        column(List.of(row(1L, 1.5), row(2L, null)), List.of()),
        readBack(format, map, twoDoubles(), Map.of()));
  }

  private static Map<Long, Double> twoDoubles() {
    Map<Long, Double> map = new HashMap<>();
    map.put(1L, 1.5);
    map.put(2L, null);
    return map;
  }

  @ParameterizedTest
  @EnumSource(names = {"ORC", "AVRO"})
  void positionsArePhysicalOverManyBatches(FileFormat format) {
    Schema schema = single(Types.LongType.get());
    List<Record> rows = new ArrayList<>();
    for (long i = 0; i < 5000; i++) {
      rows.add(GenericRecord.create(schema).copy("c", i));
    }
    DecodeHarness harness = new DecodeHarness(folder, format).write(schema, rows);
    List<List<Object>> read = harness.read(harness.request(schema, RowPosition.APPENDED), 700);
    assertEquals(5000, read.size());
    read.forEach(row -> assertEquals(row.get(0), row.get(1)));
    List<List<Object>> positionsOnly =
        harness.read(harness.request(new Schema(), RowPosition.APPENDED), 4096);
    assertEquals(5000, positionsOnly.size());
    assertEquals(row(4999L), positionsOnly.get(4999));
  }

  @ParameterizedTest
  @EnumSource(names = {"ORC", "AVRO"})
  void emptyFiles(FileFormat format) {
    Schema schema = single(Types.LongType.get());
    assertEquals(List.of(), new DecodeHarness(folder, format).write(schema).read(schema));
  }
}
