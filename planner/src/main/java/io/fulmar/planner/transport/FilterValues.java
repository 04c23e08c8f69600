package io.fulmar.planner.transport;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalTime;
import java.util.Optional;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.util.TimeString;
import org.apache.calcite.util.TimestampString;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/** Literals as values of Iceberg types, where the two mean exactly the same. */
final class FilterValues {
  private static final long NANOS_PER_MICRO = 1_000L;
  private static final long MICROS_PER_DAY = 86_400_000_000L;
  private static final int MICRO_DIGITS = 6;

  private FilterValues() {}

  static boolean isFloat(Type type) {
    return type.typeId() == Type.TypeID.FLOAT || type.typeId() == Type.TypeID.DOUBLE;
  }

  /** Whether a cast to {@code target} keeps all values, and their order. */
  static boolean isLossless(Type source, RelDataType target) {
    SqlTypeName name = target.getSqlTypeName();
    return switch (source.typeId()) {
      case INTEGER ->
          name == SqlTypeName.INTEGER || name == SqlTypeName.BIGINT || isWide(target, 10, 0);
      case LONG -> name == SqlTypeName.BIGINT || isWide(target, 19, 0);
      case FLOAT -> name == SqlTypeName.REAL || SqlTypeUtil.isApproximateNumeric(target);
      case DOUBLE -> name == SqlTypeName.DOUBLE || name == SqlTypeName.FLOAT;
      case DECIMAL -> {
        Types.DecimalType decimal = (Types.DecimalType) source;
        yield isWide(target, decimal.precision(), decimal.scale());
      }
      case DATE -> name == SqlTypeName.DATE || name == SqlTypeName.TIMESTAMP;
      case TIMESTAMP -> sameZone(((Types.TimestampType) source).shouldAdjustToUTC(), target);
      case TIMESTAMP_NANO ->
          sameZone(((Types.TimestampNanoType) source).shouldAdjustToUTC(), target)
              && target.getPrecision() > MICRO_DIGITS;
      case STRING ->
          name == SqlTypeName.VARCHAR
              && target.getPrecision() == RelDataType.PRECISION_NOT_SPECIFIED;
      default -> false;
    };
  }

  private static boolean isWide(RelDataType target, int precision, int scale) {
    return SqlTypeUtil.isDecimal(target)
        && target.getScale() >= scale
        && target.getPrecision() - target.getScale() >= precision - scale;
  }

  private static boolean sameZone(boolean utc, RelDataType target) {
    return target.getSqlTypeName()
            == (utc ? SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE : SqlTypeName.TIMESTAMP)
        && target.getPrecision() >= MICRO_DIGITS;
  }

  /** The value for Iceberg's expressions, absent where the type cannot hold it exactly. */
  static Optional<Object> exact(RexLiteral literal, Type type) {
    RelDataType sql = literal.getType();
    return switch (type.typeId()) {
      case BOOLEAN ->
          sql.getSqlTypeName() == SqlTypeName.BOOLEAN
              ? Optional.of(literal.getValueAs(Boolean.class))
              : Optional.empty();
      case INTEGER -> number(literal).flatMap(FilterValues::toInt);
      case LONG -> number(literal).flatMap(FilterValues::toLong);
      case FLOAT -> floating(literal).flatMap(FilterValues::toFloat);
      case DOUBLE -> floating(literal).map(value -> value);
      case DECIMAL -> number(literal).flatMap(value -> decimal(value, (Types.DecimalType) type));
      case DATE -> date(literal);
      case TIME -> sql.getSqlTypeName() == SqlTypeName.TIME ? time(literal) : Optional.empty();
      case TIMESTAMP -> timestamp(literal, ((Types.TimestampType) type).shouldAdjustToUTC(), false);
      case TIMESTAMP_NANO ->
          timestamp(literal, ((Types.TimestampNanoType) type).shouldAdjustToUTC(), true);
      case STRING ->
          SqlTypeUtil.isCharacter(sql)
              ? Optional.of(literal.getValueAs(String.class))
              : Optional.empty();
      // The order in which writers compare the bytes of uuid, fixed and binary is not one.
      default -> Optional.empty();
    };
  }

  private static Optional<BigDecimal> number(RexLiteral literal) {
    return SqlTypeUtil.isExactNumeric(literal.getType())
        ? Optional.of(literal.getValueAs(BigDecimal.class))
        : Optional.empty();
  }

  private static Optional<Double> floating(RexLiteral literal) {
    if (!SqlTypeUtil.isApproximateNumeric(literal.getType())) {
      return Optional.empty();
    }
    return Optional.of(
        literal.getValue() instanceof Double exact
            ? exact
            : Double.valueOf(literal.getValueAs(BigDecimal.class).doubleValue()));
  }

  private static Optional<Object> toInt(BigDecimal value) {
    try {
      return Optional.of(value.intValueExact());
    } catch (ArithmeticException inexact) {
      return Optional.empty();
    }
  }

  private static Optional<Object> toLong(BigDecimal value) {
    try {
      return Optional.of(value.longValueExact());
    } catch (ArithmeticException inexact) {
      return Optional.empty();
    }
  }

  private static Optional<Object> toFloat(Double value) {
    float narrow = value.floatValue();
    return Double.compare(narrow, value) == 0 ? Optional.of(narrow) : Optional.empty();
  }

  private static Optional<Object> decimal(BigDecimal value, Types.DecimalType type) {
    if (value.stripTrailingZeros().scale() > type.scale()) {
      return Optional.empty();
    }
    BigDecimal scaled = value.setScale(type.scale(), RoundingMode.UNNECESSARY);
    return scaled.precision() <= type.precision() ? Optional.of(scaled) : Optional.empty();
  }

  private static Optional<Object> date(RexLiteral literal) {
    if (literal.getType().getSqlTypeName() == SqlTypeName.DATE) {
      return Optional.of(literal.getValueAs(Integer.class));
    }
    if (literal.getType().getSqlTypeName() != SqlTypeName.TIMESTAMP) {
      return Optional.empty();
    }
    TimestampString text = literal.getValueAs(TimestampString.class);
    long micros = TimestampValues.micros(text);
    boolean midnight = TimestampValues.isWholeMicros(text) && micros % MICROS_PER_DAY == 0;
    return midnight ? Optional.of(Math.toIntExact(micros / MICROS_PER_DAY)) : Optional.empty();
  }

  private static Optional<Object> time(RexLiteral literal) {
    long nanos = LocalTime.parse(literal.getValueAs(TimeString.class).toString()).toNanoOfDay();
    return nanos % NANOS_PER_MICRO == 0 ? Optional.of(nanos / NANOS_PER_MICRO) : Optional.empty();
  }

  private static Optional<Object> timestamp(RexLiteral literal, boolean utc, boolean nanos) {
    SqlTypeName wanted = utc ? SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE : SqlTypeName.TIMESTAMP;
    if (literal.getType().getSqlTypeName() != wanted) {
      return Optional.empty();
    }
    TimestampString text = literal.getValueAs(TimestampString.class);
    try {
      if (nanos) {
        return Optional.of(Expressions.nanos(TimestampValues.nanos(text)));
      }
      return TimestampValues.isWholeMicros(text)
          ? Optional.of(Expressions.micros(TimestampValues.micros(text)))
          : Optional.empty();
    } catch (ArithmeticException outOfRange) {
      return Optional.empty();
    }
  }

  /**
   * A comparison of a float column. SQL has NaN above all numbers and zeros equal; statistics leave
   * NaN out and tell zeros apart (rule R42).
   */
  static Expression compareFloat(String name, SqlKind kind, Number value) {
    double number = value.doubleValue();
    if (Double.isNaN(number)) {
      return kind == SqlKind.EQUALS || kind == SqlKind.GREATER_THAN_OR_EQUAL
          ? Expressions.isNaN(name)
          : Expressions.alwaysTrue();
    }
    Object low = number == 0 ? zero(value, true) : value;
    Object high = number == 0 ? zero(value, false) : value;
    return switch (kind) {
      case EQUALS ->
          number == 0
              ? Expressions.and(
                  Expressions.greaterThanOrEqual(name, low),
                  Expressions.lessThanOrEqual(name, high))
              : Expressions.equal(name, value);
      case LESS_THAN -> Expressions.lessThan(name, high);
      case LESS_THAN_OR_EQUAL -> Expressions.lessThanOrEqual(name, high);
      case GREATER_THAN ->
          Expressions.or(Expressions.greaterThan(name, low), Expressions.isNaN(name));
      case GREATER_THAN_OR_EQUAL ->
          Expressions.or(Expressions.greaterThanOrEqual(name, low), Expressions.isNaN(name));
      default -> Expressions.alwaysTrue();
    };
  }

  private static Object zero(Number like, boolean negative) {
    if (like instanceof Float) {
      return negative ? -0.0f : 0.0f;
    }
    return negative ? -0.0d : 0.0d;
  }

  /** The text before the first character outside the basic plane. */
  static String withoutSurrogates(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        return text.substring(0, i);
      }
    }
    return text;
  }
}
