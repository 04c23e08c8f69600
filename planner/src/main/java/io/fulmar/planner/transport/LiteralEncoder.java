package io.fulmar.planner.transport;

import com.google.protobuf.ByteString;
import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.engine.plan.Literal;
import io.fulmar.engine.plan.LiteralList;
import io.fulmar.planner.logical.ValueTypes;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalTime;
import java.util.List;
import java.util.TimeZone;
import java.util.UUID;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.util.TimeString;
import org.apache.calcite.util.TimestampString;
import org.apache.calcite.util.TimestampWithTimeZoneString;

/** Literals as exact values of a type. */
final class LiteralEncoder {
  private static final long NANOS_PER_MICRO = 1_000L;
  private static final BigDecimal MICROS_PER_MILLI = BigDecimal.valueOf(1_000);

  private LiteralEncoder() {}

  static Literal ofNull() {
    return Literal.newBuilder().setNull(true).build();
  }

  static Literal ofText(String text) {
    return Literal.newBuilder().setString(text).build();
  }

  static Literal ofInteger(long value) {
    return Literal.newBuilder().setInteger(value).build();
  }

  /**
   * The value of {@code literal} as a value of {@code type}.
   *
   * @throws FulmarException NUMERIC_OVERFLOW where the type cannot hold it exactly
   */
  static Literal encode(RexLiteral literal, RelDataType type) {
    if (literal.isNull()) {
      return ofNull();
    }
    Literal.Builder builder = Literal.newBuilder();
    try {
      switch (type.getSqlTypeName()) {
        case BOOLEAN -> builder.setBoolean(literal.getValueAs(Boolean.class));
        case TINYINT, SMALLINT, INTEGER, BIGINT ->
            builder.setInteger(literal.getValueAs(BigDecimal.class).longValueExact());
        case REAL -> builder.setFloat32(floating(literal).floatValue());
        case FLOAT, DOUBLE -> builder.setFloat64(floating(literal));
        case DECIMAL -> builder.setDecimal(decimal(literal.getValueAs(BigDecimal.class), type));
        case CHAR, VARCHAR -> builder.setString(literal.getValueAs(String.class));
        case UUID -> builder.setString(uuid(literal));
        case BINARY, VARBINARY ->
            builder.setBinary(
                ByteString.copyFrom(
                    literal
                        .getValueAs(org.apache.calcite.avatica.util.ByteString.class)
                        .getBytes()));
        case ARRAY, MULTISET, ROW -> builder.setList(list(literal, type));
        default -> builder.setInteger(timeOrInterval(literal, type));
      }
    } catch (ArithmeticException inexact) {
      throw new FulmarException(
          ErrorCode.NUMERIC_OVERFLOW, "Literal " + literal + " does not fit type " + type, inexact);
    }
    return builder.build();
  }

  private static Double floating(RexLiteral literal) {
    Comparable<?> value = literal.getValue();
    return value instanceof Double exact
        ? exact
        : Double.valueOf(literal.getValueAs(BigDecimal.class).doubleValue());
  }

  private static ByteString decimal(BigDecimal value, RelDataType type) {
    BigDecimal scaled = value.setScale(type.getScale(), RoundingMode.UNNECESSARY);
    if (scaled.precision() > type.getPrecision()) {
      throw new ArithmeticException("precision");
    }
    return ByteString.copyFrom(scaled.unscaledValue().toByteArray());
  }

  private static String uuid(RexLiteral literal) {
    UUID uuid = literal.getValueAs(UUID.class);
    return uuid.toString();
  }

  private static LiteralList list(RexLiteral literal, RelDataType type) {
    List<?> values = literal.getValueAs(List.class);
    LiteralList.Builder list = LiteralList.newBuilder();
    for (int i = 0; i < values.size(); i++) {
      RelDataType element =
          type.isStruct() ? type.getFieldList().get(i).getType() : type.getComponentType();
      list.addValues(encode((RexLiteral) values.get(i), element));
    }
    return list.build();
  }

  private static long timeOrInterval(RexLiteral literal, RelDataType type) {
    return switch (type.getSqlTypeName()) {
      case DATE -> literal.getValueAs(Integer.class);
      case TIME ->
          LocalTime.parse(literal.getValueAs(TimeString.class).toString()).toNanoOfDay()
              / NANOS_PER_MICRO;
      case TIMESTAMP, TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
          timestamp(literal.getValueAs(TimestampString.class), type);
      case TIMESTAMP_TZ ->
          timestamp(
              literal
                  .getValueAs(TimestampWithTimeZoneString.class)
                  .withTimeZone(TimeZone.getTimeZone("UTC"))
                  .getLocalTimestampString(),
              type);
      case INTERVAL_YEAR, INTERVAL_YEAR_MONTH, INTERVAL_MONTH ->
          literal.getValueAs(BigDecimal.class).longValueExact();
      case INTERVAL_DAY,
          INTERVAL_DAY_HOUR,
          INTERVAL_DAY_MINUTE,
          INTERVAL_DAY_SECOND,
          INTERVAL_HOUR,
          INTERVAL_HOUR_MINUTE,
          INTERVAL_HOUR_SECOND,
          INTERVAL_MINUTE,
          INTERVAL_MINUTE_SECOND,
          INTERVAL_SECOND ->
          literal.getValueAs(BigDecimal.class).multiply(MICROS_PER_MILLI).longValueExact();
      default ->
          throw new FulmarException(
              ErrorCode.UNSUPPORTED_SQL, "A literal of type " + type + " is not supported");
    };
  }

  private static long timestamp(TimestampString text, RelDataType type) {
    return ValueTypes.isNanos(type) ? TimestampValues.nanos(text) : TimestampValues.micros(text);
  }
}
