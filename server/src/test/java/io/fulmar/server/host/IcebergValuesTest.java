package io.fulmar.server.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class IcebergValuesTest {
  static Stream<Arguments> values() {
    return Stream.of(
        Arguments.of(Types.BooleanType.get(), true),
        Arguments.of(Types.IntegerType.get(), -7),
        Arguments.of(Types.LongType.get(), Long.MIN_VALUE),
        Arguments.of(Types.FloatType.get(), -0.0f),
        Arguments.of(Types.DoubleType.get(), Double.NaN),
        Arguments.of(Types.DateType.get(), -1),
        Arguments.of(Types.TimeType.get(), 86_399_999_999L),
        Arguments.of(Types.TimestampType.withZone(), -1L),
        Arguments.of(Types.TimestampNanoType.withoutZone(), 1L),
        Arguments.of(Types.StringType.get(), "né"),
        Arguments.of(Types.UUIDType.get(), UUID.fromString("00000000-0000-0001-8000-000000000002")),
        Arguments.of(Types.FixedType.ofLength(2), ByteBuffer.wrap(new byte[] {1, -1})),
        Arguments.of(Types.BinaryType.get(), ByteBuffer.wrap(new byte[0])),
        Arguments.of(Types.DecimalType.of(38, 4), new BigDecimal("-12345678901234567890.1234")));
  }

  @ParameterizedTest
  @MethodSource("values")
  void comeBackAsTheyWere(Type type, Object value) {
    assertEquals(value, IcebergValues.value(type, IcebergValues.literal(type, value)));
  }

  @Test
  void nullIsALiteral() {
    assertTrue(IcebergValues.literal(Types.StringType.get(), null).getNull());
    assertTrue(IcebergValues.literal(Types.UnknownType.get(), "was dropped").getNull());
  }

  /** A partition value of a column that was promoted keeps the type that its manifest has. */
  @Test
  void narrowerNumbersFitWiderTypes() {
    assertEquals(7, IcebergValues.literal(Types.LongType.get(), 7).getInteger());
    assertEquals(1.5, IcebergValues.literal(Types.DoubleType.get(), 1.5f).getFloat64());
  }
}
