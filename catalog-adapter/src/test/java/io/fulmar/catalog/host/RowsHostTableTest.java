package io.fulmar.catalog.host;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;
import org.junit.jupiter.api.Test;

class RowsHostTableTest {
  private static final UUID ID = UUID.fromString("f79c3e09-677c-4bbd-a479-3f349cb785e7");

  private static HostTable table(Schema schema, StructLike... rows) {
    return new RowsHostTable(
        "test", schema, () -> CloseableIterable.withNoopClose(Arrays.asList(rows)));
  }

  private static Object single(Type type, Object value) {
    Schema schema = new Schema(NestedField.optional(1, "c", type));
    List<Map<String, Object>> rows =
        HostTables.rows(table(schema, HostRow.of(value), HostRow.of((Object) null)), 10);
    assertEquals(2, rows.size());
    assertTrue(rows.get(1).get("c") == null, type::toString);
    return rows.get(0).get("c");
  }

  @Test
  void bothOfIcebergsJavaFormsGiveTheSame() {
    LocalDateTime time = LocalDateTime.of(1969, 12, 31, 23, 59, 59, 123_456_000);
    assertEquals(
        single(Types.DateType.get(), -1),
        single(Types.DateType.get(), LocalDate.EPOCH.minusDays(1)));
    assertEquals(
        single(Types.TimeType.get(), 1_000_001L),
        single(Types.TimeType.get(), LocalTime.ofNanoOfDay(1_000_001_000)));
    assertEquals(time, single(Types.TimestampType.withoutZone(), time));
    assertEquals(time, single(Types.TimestampType.withoutZone(), -876_544L));
    assertEquals(-876_544L, single(Types.TimestampType.withZone(), time.atOffset(ZoneOffset.UTC)));
    assertEquals(
        -876_544_000L, single(Types.TimestampNanoType.withZone(), time.toInstant(ZoneOffset.UTC)));
    assertEquals(time, single(Types.TimestampNanoType.withoutZone(), -876_544_000L));
    assertEquals(5, single(Types.IntegerType.get(), 5L));
    assertEquals(5L, single(Types.LongType.get(), 5));
  }

  @Test
  void uuidIsTextAndFixedIsBinary() {
    assertEquals(ID.toString(), single(Types.UUIDType.get(), ID));
    assertEquals(ID.toString(), single(Types.UUIDType.get(), ID.toString().toUpperCase()));
    byte[] bytes =
        ByteBuffer.allocate(16)
            .putLong(ID.getMostSignificantBits())
            .putLong(ID.getLeastSignificantBits())
            .array();
    assertEquals(ID.toString(), single(Types.UUIDType.get(), ByteBuffer.wrap(bytes)));
    byte[] fixed = {1, -1};
    assertArrayEquals(fixed, (byte[]) single(Types.FixedType.ofLength(2), fixed));
    assertArrayEquals(fixed, (byte[]) single(Types.BinaryType.get(), ByteBuffer.wrap(fixed)));
  }

  @Test
  void otherTypes() {
    assertEquals(true, single(Types.BooleanType.get(), true));
    assertEquals(1.5f, single(Types.FloatType.get(), 1.5f));
    assertEquals(-0.0, single(Types.DoubleType.get(), -0.0));
    assertEquals("aé😀", single(Types.StringType.get(), "aé😀"));
    assertEquals(new BigDecimal("1.50"), single(Types.DecimalType.of(9, 2), new BigDecimal("1.5")));
    assertTrue(single(Types.UnknownType.get(), null) == null);
    assertEquals(
        "[1,null]",
        String.valueOf(
            single(Types.ListType.ofOptional(2, Types.IntegerType.get()), Arrays.asList(1, null))));
    assertEquals(
        "[{\"key\":\"k\",\"value\":{\"x\":7}}]",
        String.valueOf(
            single(
                Types.MapType.ofOptional(
                    2,
                    3,
                    Types.StringType.get(),
                    Types.StructType.of(NestedField.optional(4, "x", Types.IntegerType.get()))),
                Map.of("k", HostRow.of(7)))));
  }

  @Test
  void valuesThatDoNotFitFail() {
    assertThrows(
        ArithmeticException.class, () -> single(Types.IntegerType.get(), 1L + Integer.MAX_VALUE));
    assertThrows(
        ArithmeticException.class,
        () -> single(Types.DecimalType.of(9, 2), new BigDecimal("1.234")));
    assertThrows(ClassCastException.class, () -> single(Types.LongType.get(), "1"));
    Schema variant = new Schema(NestedField.optional(1, "v", Types.VariantType.get()));
    FulmarException error =
        assertThrows(
            FulmarException.class, () -> HostTables.rows(table(variant, HostRow.of("{}")), 10));
    assertEquals(ErrorCode.UNSUPPORTED_TABLE, error.code());
  }

  @Test
  void batchesAreAsShortAsAskedAndShorterForVeryWideRows() {
    Schema narrow = new Schema(NestedField.required(1, "c", Types.IntegerType.get()));
    HostRow[] rows = IntStream.range(0, 10).mapToObj(HostRow::of).toArray(HostRow[]::new);
    assertEquals(List.of(4, 4, 2), batches(table(narrow, rows), 4));
    assertEquals(List.of(), batches(table(narrow), 4));

    List<NestedField> columns = new ArrayList<>();
    Object[] values = new Object[3000];
    for (int i = 0; i < values.length; i++) {
      columns.add(NestedField.optional(i, "c" + i, Types.LongType.get()));
      values[i] = (long) i;
    }
    HostRow[] wide = new HostRow[50];
    Arrays.fill(wide, HostRow.of(values));
    assertEquals(List.of(21, 21, 8), batches(table(new Schema(columns), wide), 1000));
  }

  private static List<Integer> batches(HostTable table, int batchRows) {
    List<Integer> sizes = new ArrayList<>();
    try (BufferAllocator allocator = new RootAllocator();
        BatchReader reader = table.open(allocator, batchRows)) {
      while (reader.next()) {
        sizes.add(reader.root().getRowCount());
      }
    }
    return sizes;
  }

  @Test
  void eachOpeningAsksForTheRowsAnewAndClosesThem() {
    Schema schema = new Schema(NestedField.required(1, "c", Types.IntegerType.get()));
    AtomicInteger opened = new AtomicInteger();
    AtomicInteger closed = new AtomicInteger();
    HostTable table =
        new RowsHostTable(
            "test",
            schema,
            () ->
                CloseableIterable.combine(
                    List.of(HostRow.of(opened.incrementAndGet())), closed::incrementAndGet));
    assertEquals(List.of("[1]"), HostTables.columns(table, "c"));
    assertEquals(List.of("[2]"), HostTables.columns(table, "c"));
    assertEquals(2, closed.get());
  }
}
