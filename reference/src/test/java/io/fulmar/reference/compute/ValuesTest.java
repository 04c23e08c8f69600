package io.fulmar.reference.compute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.planner.type.FulmarTypeFactory;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Where Fulmar's rules differ from Java's. */
class ValuesTest {
  private final FulmarTypeFactory types = new FulmarTypeFactory();

  @Test
  void nanIsEqualToItselfAndGreatestAndZerosAreEqual() {
    assertEquals(0, Values.compare(Double.NaN, Double.longBitsToDouble(0xfff8000000000001L)));
    assertTrue(Values.compare(Double.NaN, Double.POSITIVE_INFINITY) > 0);
    assertEquals(0, Values.compare(-0.0, 0.0));
    assertEquals(Values.key(-0.0), Values.key(0.0));
    assertEquals(Values.key(List.of(Float.NaN)), Values.key(List.of(Float.NaN)));
    assertNotEquals(Values.key(1.0), Values.key(2.0));
  }

  @Test
  void textIsOrderedByCodePointAndBytesUnsigned() {
    assertTrue(Values.compare("\uffee", "\ud83d\ude00") < 0);
    assertTrue(Values.compare("a", "ab") < 0);
    assertTrue(
        Values.compare(ByteBuffer.wrap(new byte[] {-1}), ByteBuffer.wrap(new byte[] {1})) > 0);
  }

  @Test
  void integersAndDecimalsDoNotWrap() {
    RelDataType integer = types.createSqlType(SqlTypeName.INTEGER);
    RelDataType bigint = types.createSqlType(SqlTypeName.BIGINT);
    RelDataType decimal = types.createSqlType(SqlTypeName.DECIMAL, 38, 0);

    assertCode(
        ErrorCode.NUMERIC_OVERFLOW,
        () -> Arithmetic.binary(SqlKind.PLUS, (long) Integer.MAX_VALUE, 1L, integer));
    assertCode(
        ErrorCode.NUMERIC_OVERFLOW,
        () -> Arithmetic.binary(SqlKind.TIMES, Long.MAX_VALUE, 2L, bigint));
    assertCode(
        ErrorCode.NUMERIC_OVERFLOW,
        () ->
            Arithmetic.binary(
                SqlKind.TIMES, BigDecimal.TEN.pow(37), BigDecimal.TEN.pow(2), decimal));
    assertCode(ErrorCode.DIVISION_BY_ZERO, () -> Arithmetic.binary(SqlKind.DIVIDE, 1L, 0L, bigint));
    assertEquals(-2L, Arithmetic.binary(SqlKind.DIVIDE, -7L, 3L, bigint));
  }

  @Test
  void decimalsRoundHalfAwayFromZero() {
    RelDataType type = types.createSqlType(SqlTypeName.DECIMAL, 10, 1);

    assertEquals(
        new BigDecimal("-0.3"),
        Arithmetic.binary(SqlKind.DIVIDE, new BigDecimal("-1"), new BigDecimal("4"), type));
    assertEquals(new BigDecimal("2.5"), Arithmetic.fit(new BigDecimal("2.45"), type));
  }

  @Test
  void likeTakesItsEscapeAndWholeCharacters() {
    assertTrue(Like.compile("a_c", Optional.empty()).matcher("a\ud83d\ude00c").matches());
    assertTrue(Like.compile("50\\%", Optional.empty()).matcher("50%").matches());
    assertFalse(Like.compile("50\\%", Optional.empty()).matcher("500").matches());
    assertTrue(Like.compile("x#_%", Optional.of("#")).matcher("x_1\n2").matches());
    assertCode(ErrorCode.INVALID_ARGUMENT, () -> Like.compile("a\\", Optional.empty()));
  }

  @Test
  void castsRoundAndRefuseWhatIsOutside() {
    RelDataType from = types.createSqlType(SqlTypeName.DECIMAL, 10, 2);
    RelDataType to = types.createSqlType(SqlTypeName.TINYINT);

    assertEquals(3L, Casts.of(from, to).apply(new BigDecimal("2.50")));
    assertCode(
        ErrorCode.NUMERIC_OVERFLOW, () -> Casts.of(from, to).apply(new BigDecimal("128.00")));
    assertCode(
        ErrorCode.UNSUPPORTED_SQL,
        () ->
            Casts.of(
                types.createSqlType(SqlTypeName.DOUBLE), types.createSqlType(SqlTypeName.VARCHAR)));
  }

  private static void assertCode(ErrorCode code, Executable action) {
    assertEquals(code, assertThrows(FulmarException.class, action).code());
  }
}
