package io.fulmar.catalog.decode;

import static io.fulmar.catalog.decode.DecodeHarness.row;
import static io.fulmar.catalog.decode.DecodeHarness.struct;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rules R30, R31, R33 and R34. */
class FileDecoderEvolutionTest {
  private static final Schema OLD =
      new Schema(
          NestedField.optional(1, "id", Types.IntegerType.get()),
          NestedField.optional(2, "name", Types.StringType.get()));

  @TempDir private Path folder;

  private DecodeHarness old(FileFormat format) {
    return new DecodeHarness(folder, format)
        .write(OLD, GenericRecord.create(OLD).copy("id", 1, "name", "one"));
  }

  private static NestedField withDefault(int id, Type type, Object value) {
    return withDefault(id, "d" + id, type, value);
  }

  private static NestedField withDefault(int id, String name, Type type, Object value) {
    return NestedField.optional(name)
        .withId(id)
        .ofType(type)
        .withInitialDefault(Expressions.lit(value))
        .build();
  }

  private static FulmarException mismatch(Runnable read) {
    FulmarException error = assertThrows(FulmarException.class, read::run);
    assertEquals(ErrorCode.SCHEMA_MISMATCH, error.code(), error.getMessage());
    return error;
  }

  @ParameterizedTest
  @EnumSource(names = {"ORC", "AVRO"})
  void columnsAreFoundByIdAndNeverByName(FileFormat format) {
    Schema now =
        new Schema(
            NestedField.optional(3, "id", Types.LongType.get()),
            NestedField.optional(2, "title", Types.StringType.get()),
            NestedField.optional(1, "number", Types.IntegerType.get()));
    assertEquals(List.of(row(null, "one", 1)), old(format).read(now));
  }

  @ParameterizedTest
  @EnumSource(names = {"ORC", "AVRO"})
  void defaultsStandForAbsentColumns(FileFormat format) {
    Schema now =
        new Schema(
            NestedField.optional(1, "id", Types.IntegerType.get()),
            withDefault(3, Types.IntegerType.get(), 7),
            withDefault(4, Types.StringType.get(), "dft"),
            withDefault(5, Types.DecimalType.of(9, 2), new BigDecimal("1.50")),
            withDefault(6, Types.DateType.get(), "2024-02-29"),
            NestedField.required("req")
                .withId(7)
                .ofType(Types.LongType.get())
                .withInitialDefault(Expressions.lit(-1L))
                .build());
    int day = (int) LocalDate.of(2024, 2, 29).toEpochDay();
    assertEquals(
        List.of(row(1, 7, "dft", new BigDecimal("1.50"), day, -1L)), old(format).read(now));
  }

  @ParameterizedTest
  @EnumSource(names = {"ORC", "AVRO"})
  void defaultsDoNotReplaceNullsOfTheFile(FileFormat format) {
    Schema withNull = new Schema(withDefault(3, Types.IntegerType.get(), 7));
    Record nothing = GenericRecord.create(withNull);
    assertEquals(
        List.of(row((Object) null)),
        new DecodeHarness(folder, format).write(withNull, nothing).read(withNull));
  }

  @ParameterizedTest
  @EnumSource(names = {"ORC", "AVRO"})
  void defaultsStandForAbsentChildrenOfPresentStructs(FileFormat format) {
    Schema then = nested(before(10), before(20), before(30));
    Schema now = nested(after(10), after(20), after(30));
    Record full =
        GenericRecord.create(then)
            .copy(
                "s",
                GenericRecord.create(before(10)).copy("x", 9),
                "l",
                row(GenericRecord.create(before(20)).copy("x", 9), null),
                "m",
                Map.of("k", GenericRecord.create(before(30)).copy("x", 9)));
    Map<String, Object> read = struct("d", 5L, "renamed", 9L, "new", null);
    assertEquals(
        List.of(row(read, row(read, null), List.of(row("k", read))), row(null, null, null)),
        new DecodeHarness(folder, format).write(then, full, GenericRecord.create(then)).read(now));
  }

  private static Types.StructType before(int id) {
    return Types.StructType.of(NestedField.optional(id, "x", Types.IntegerType.get()));
  }

  private static Types.StructType after(int id) {
    return Types.StructType.of(
        withDefault(id + 1, "d", Types.LongType.get(), 5L),
        NestedField.optional(id, "renamed", Types.LongType.get()),
        NestedField.optional(id + 2, "new", Types.StringType.get()));
  }

  private static Schema nested(Types.StructType s, Types.StructType l, Types.StructType m) {
    return new Schema(
        NestedField.optional(1, "s", s),
        NestedField.optional(2, "l", Types.ListType.ofOptional(3, l)),
        NestedField.optional(4, "m", Types.MapType.ofOptional(5, 6, Types.StringType.get(), m)));
  }

  @ParameterizedTest
  @EnumSource(names = {"ORC", "AVRO"})
  void structsWithoutAnyKnownChildAreNotNull(FileFormat format) {
    Types.StructType before =
        Types.StructType.of(NestedField.optional(10, "x", Types.IntegerType.get()));
    Types.StructType after =
        Types.StructType.of(NestedField.optional(11, "y", Types.IntegerType.get()));
    Schema then = new Schema(NestedField.optional(1, "s", before));
    Schema now = new Schema(NestedField.optional(1, "s", after));
    Record x = GenericRecord.create(before).copy("x", 9);
    assertEquals(
        List.of(row(struct("y", null)), row((Object) null)),
        new DecodeHarness(folder, format)
            .write(then, GenericRecord.create(then).copy("s", x), GenericRecord.create(then))
            .read(now));
  }

  @ParameterizedTest
  @EnumSource(names = {"ORC", "AVRO"})
  void requiredColumnsWithoutDefaultMustBeThere(FileFormat format) {
    DecodeHarness file = old(format);
    Schema now = new Schema(NestedField.required(3, "need", Types.StringType.get()));
    FulmarException error = mismatch(() -> file.read(now));
    assertTrue(error.getMessage().contains(file.file().toString()), error.getMessage());
    assertTrue(error.getMessage().contains("need"), error.getMessage());
  }

  @ParameterizedTest
  @EnumSource(names = {"ORC", "AVRO"})
  void constantsStandForAbsentColumnsOnly(FileFormat format) {
    Schema now =
        new Schema(
            NestedField.optional(1, "id", Types.IntegerType.get()),
            NestedField.optional(3, "day", Types.DateType.get()),
            withDefault(4, Types.IntegerType.get(), 7),
            NestedField.required(5, "part", Types.StringType.get()));
    DecodeHarness file = old(format).constants(Map.of(1, 99, 3, 19_000, 5, "x y"), Set.of(4));
    assertEquals(List.of(row(1, 19_000, null, "x y")), file.read(now));
  }

  @ParameterizedTest
  @EnumSource(names = {"ORC", "AVRO"})
  void promotions(FileFormat format) {
    Schema then =
        new Schema(
            NestedField.optional(1, "i", Types.IntegerType.get()),
            NestedField.optional(2, "f", Types.FloatType.get()),
            NestedField.optional(3, "d", Types.DecimalType.of(5, 2)),
            NestedField.optional(4, "day", Types.DateType.get()),
            NestedField.optional(5, "day2", Types.DateType.get()));
    Schema now =
        new Schema(
            NestedField.optional(1, "i", Types.LongType.get()),
            NestedField.optional(2, "f", Types.DoubleType.get()),
            NestedField.optional(3, "d", Types.DecimalType.of(38, 2)),
            NestedField.optional(4, "day", Types.TimestampType.withoutZone()),
            NestedField.optional(5, "day2", Types.TimestampNanoType.withoutZone()));
    LocalDate day = LocalDate.of(1969, 12, 31);
    Record record =
        GenericRecord.create(then)
            .copy(
                Map.of("i", -5, "f", 0.1f, "d", new BigDecimal("-1.25"), "day", day, "day2", day));
    assertEquals(
        List.of(
            row(
                -5L,
                (double) 0.1f,
                new BigDecimal("-1.25"),
                day.atStartOfDay(),
                day.atStartOfDay())),
        new DecodeHarness(folder, format).write(then, record).read(now));
  }

  @ParameterizedTest
  @EnumSource(names = {"ORC", "AVRO"})
  void promotedDatesOutsideNanosecondsFail(FileFormat format) {
    Schema then = new Schema(NestedField.optional(1, "c", Types.DateType.get()));
    Schema now = new Schema(NestedField.optional(1, "c", Types.TimestampNanoType.withoutZone()));
    Record record = GenericRecord.create(then).copy("c", LocalDate.of(1, 1, 1));
    DecodeHarness file = new DecodeHarness(folder, format).write(then, record);
    FulmarException error = assertThrows(FulmarException.class, () -> file.read(now));
    assertEquals(ErrorCode.CORRUPT_FILE, error.code());
  }

  @ParameterizedTest
  @EnumSource(names = {"ORC", "AVRO"})
  void otherChangesOfTypeAreErrors(FileFormat format) {
    DecodeHarness file = old(format);
    for (Type type :
        List.of(
            Types.StringType.get(),
            Types.FloatType.get(),
            Types.DateType.get(),
            Types.DecimalType.of(9, 0),
            Types.ListType.ofOptional(5, Types.IntegerType.get()),
            Types.StructType.of(NestedField.optional(6, "x", Types.IntegerType.get())))) {
      Schema now = new Schema(NestedField.optional(1, "id", type));
      assertTrue(mismatch(() -> file.read(now)).getMessage().contains("column id"), type::toString);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"ORC", "AVRO"})
  void unknownIsNullEvenIfTheFileHasIt(FileFormat format) {
    Schema now =
        new Schema(
            NestedField.optional(2, "was_text", Types.UnknownType.get()),
            NestedField.optional(1, "id", Types.IntegerType.get()),
            NestedField.optional(3, "never", Types.UnknownType.get()));
    assertEquals(List.of(row(null, 1, null)), old(format).read(now));
  }

  @ParameterizedTest
  @EnumSource(names = {"ORC", "AVRO"})
  void unknownMayHaveBecomeAnything(FileFormat format) {
    Schema then =
        new Schema(
            NestedField.optional(1, "id", Types.IntegerType.get()),
            NestedField.optional(2, "u", Types.UnknownType.get()),
            NestedField.optional(3, "v", Types.StringType.get()));
    Schema now =
        new Schema(
            NestedField.optional(2, "u", Types.StringType.get()),
            NestedField.optional(3, "v", Types.StringType.get()));
    Record record = GenericRecord.create(then).copy("id", 1, "v", "a");
    assertEquals(
        List.of(row(null, "a")), new DecodeHarness(folder, format).write(then, record).read(now));
  }
}
