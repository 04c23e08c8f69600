package io.fulmar.server.query;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DateMilliVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.TimeMicroVector;
import org.apache.arrow.vector.TimeMilliVector;
import org.apache.arrow.vector.TimeStampMicroTZVector;
import org.apache.arrow.vector.TimeStampMilliVector;
import org.apache.arrow.vector.TimeStampNanoVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.UInt2Vector;
import org.apache.arrow.vector.UInt4Vector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ParameterBinderTest {
  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void everyBufferIsGivenBack() {
    allocator.close();
  }

  @Test
  void numbers() {
    IntVector integer = new IntVector("a", allocator);
    integer.setSafe(0, -5);
    BigIntVector big = new BigIntVector("b", allocator);
    big.setSafe(0, Long.MIN_VALUE);
    Float4Vector real = new Float4Vector("c", allocator);
    real.setSafe(0, 1.5f);
    Float8Vector wide = new Float8Vector("d", allocator);
    wide.setSafe(0, Double.NaN);
    DecimalVector decimal = new DecimalVector("e", allocator, 10, 2);
    decimal.setSafe(0, new BigDecimal("12.30"));
    BitVector bit = new BitVector("f", allocator);
    bit.setSafe(0, 1);

    assertEquals(
        List.of(-5L, Long.MIN_VALUE, 1.5, Double.NaN, new BigDecimal("12.30"), true),
        bind(integer, big, real, wide, decimal, bit));
  }

  @Test
  void unsignedNumbersKeepTheirValue() {
    UInt1Vector one = new UInt1Vector("a", allocator);
    one.setSafe(0, 255);
    UInt2Vector two = new UInt2Vector("b", allocator);
    two.setSafe(0, 65_535);
    UInt4Vector four = new UInt4Vector("c", allocator);
    four.setSafe(0, -1);
    UInt8Vector eight = new UInt8Vector("d", allocator);
    eight.setSafe(0, -1L);

    assertEquals(
        List.of(255L, 65_535L, 4_294_967_295L, new BigDecimal("18446744073709551615")),
        bind(one, two, four, eight));
  }

  @Test
  void textAndBytes() {
    VarCharVector text = new VarCharVector("a", allocator);
    text.setSafe(0, "né".getBytes(StandardCharsets.UTF_8));
    VarBinaryVector bytes = new VarBinaryVector("b", allocator);
    bytes.setSafe(0, new byte[] {1, 2});

    List<Object> values = bind(text, bytes);

    assertEquals("né", values.get(0));
    assertArrayEquals(new byte[] {1, 2}, (byte[]) values.get(1));
  }

  /** JDBC sends times as milliseconds, as announced; ADBC sends its own units. */
  @Test
  void datesAndTimes() {
    DateDayVector day = new DateDayVector("a", allocator);
    day.setSafe(0, -1);
    DateMilliVector dayMillis = new DateMilliVector("b", allocator);
    dayMillis.setSafe(0, 86_400_000L);
    TimeMilliVector time = new TimeMilliVector("c", allocator);
    time.setSafe(0, 3_723_004);
    TimeMicroVector micros = new TimeMicroVector("d", allocator);
    micros.setSafe(0, 3_723_000_005L);
    TimeStampMilliVector local = new TimeStampMilliVector("e", allocator);
    local.setSafe(0, 1_700_000_000_123L);
    TimeStampMicroTZVector instant = new TimeStampMicroTZVector("f", allocator, "UTC");
    instant.setSafe(0, -1L);
    TimeStampNanoVector nanos = new TimeStampNanoVector("g", allocator);
    nanos.setSafe(0, 1L);

    assertEquals(
        List.of(
            LocalDate.of(1969, 12, 31),
            LocalDate.of(1970, 1, 2),
            LocalTime.of(1, 2, 3, 4_000_000),
            LocalTime.of(1, 2, 3, 5_000),
            LocalDateTime.of(2023, 11, 14, 22, 13, 20, 123_000_000),
            Instant.parse("1969-12-31T23:59:59.999999Z"),
            LocalDateTime.of(1970, 1, 1, 0, 0, 0, 1)),
        bind(day, dayMillis, time, micros, local, instant, nanos));
  }

  @Test
  void nulls() {
    VarCharVector text = new VarCharVector("a", allocator);
    text.allocateNew();
    text.setNull(0);

    assertEquals(Arrays.asList(null, null), bind(text, new NullVector("b", 1)));
  }

  @Test
  void refusesSeveralRowsAndOtherCounts() {
    IntVector vector = new IntVector("a", allocator);
    vector.setSafe(0, 1);
    vector.setSafe(1, 2);
    try (VectorSchemaRoot root = root(2, vector)) {
      FulmarException rows =
          assertThrows(FulmarException.class, () -> ParameterBinder.bind(root, 1));
      assertEquals(ErrorCode.INVALID_PARAMETER, rows.code());
      root.setRowCount(1);
      FulmarException count =
          assertThrows(FulmarException.class, () -> ParameterBinder.bind(root, 2));
      assertEquals("The statement has 2 parameters, 1 were bound", count.getMessage());
    }
  }

  private List<Object> bind(FieldVector... vectors) {
    try (VectorSchemaRoot root = root(1, vectors)) {
      return ParameterBinder.bind(root, vectors.length).values();
    }
  }

  private static VectorSchemaRoot root(int rows, FieldVector... vectors) {
    List.of(vectors).forEach(vector -> vector.setValueCount(rows));
    VectorSchemaRoot root = VectorSchemaRoot.of(vectors);
    root.setRowCount(rows);
    return root;
  }
}
