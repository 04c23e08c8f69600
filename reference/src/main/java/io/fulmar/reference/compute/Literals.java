package io.fulmar.reference.compute;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.UUID;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.TimeString;
import org.apache.calcite.util.TimestampString;

/** Literals in the forms of {@link Values}. */
final class Literals {
  private static final int NANOS_PER_MICRO = 1_000;
  private static final long NANOS_PER_SECOND = 1_000_000_000;
  private static final long MICROS_PER_SECOND = 1_000_000;
  private static final int MICRO_DIGITS = 6;

  private Literals() {}

  static Object value(RexLiteral literal, RelDataType type) {
    if (literal.isNull()) {
      return null;
    }
    return switch (type.getSqlTypeName()) {
      case BOOLEAN -> literal.getValueAs(Boolean.class);
      case TINYINT, SMALLINT, INTEGER, BIGINT ->
          literal.getValueAs(BigDecimal.class).longValueExact();
      case REAL -> (float) floating(literal);
      case FLOAT, DOUBLE -> floating(literal);
      case DECIMAL ->
          literal.getValueAs(BigDecimal.class).setScale(type.getScale(), RoundingMode.UNNECESSARY);
      case CHAR, VARCHAR -> literal.getValueAs(String.class);
      case UUID -> literal.getValueAs(UUID.class).toString();
      case BINARY, VARBINARY -> ByteBuffer.wrap(literal.getValueAs(ByteString.class).getBytes());
      case DATE -> literal.getValueAs(Integer.class).longValue();
      case TIME ->
          LocalTime.parse(literal.getValueAs(TimeString.class).toString()).toNanoOfDay()
              / NANOS_PER_MICRO;
      case TIMESTAMP, TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
          timestamp(literal.getValueAs(TimestampString.class), type);
      default -> interval(literal, type);
    };
  }

  private static double floating(RexLiteral literal) {
    Comparable<?> value = literal.getValue();
    return value instanceof Double exact
        ? exact
        : literal.getValueAs(BigDecimal.class).doubleValue();
  }

  private static Object timestamp(TimestampString text, RelDataType type) {
    LocalDateTime time = LocalDateTime.parse(text.toString().replace(' ', 'T'));
    long seconds = time.toEpochSecond(ZoneOffset.UTC);
    return isNanos(type)
        ? Math.addExact(Math.multiplyExact(seconds, NANOS_PER_SECOND), time.getNano())
        : Math.addExact(
            Math.multiplyExact(seconds, MICROS_PER_SECOND), time.getNano() / NANOS_PER_MICRO);
  }

  private static Object interval(RexLiteral literal, RelDataType type) {
    SqlTypeName name = type.getSqlTypeName();
    BigDecimal amount = literal.getValueAs(BigDecimal.class);
    if (SqlTypeName.YEAR_INTERVAL_TYPES.contains(name)) {
      return amount.longValueExact();
    }
    if (SqlTypeName.DAY_INTERVAL_TYPES.contains(name)) {
      return amount.multiply(BigDecimal.valueOf(1_000)).longValueExact();
    }
    throw Unsupported.of("literals of type " + type);
  }

  /** Whether a timestamp type counts nanoseconds. */
  static boolean isNanos(RelDataType type) {
    return type.getPrecision() > MICRO_DIGITS;
  }
}
