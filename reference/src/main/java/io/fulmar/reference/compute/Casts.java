package io.fulmar.reference.compute;

import io.fulmar.planner.logical.ValueTypes;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** The casts whose outcome is beyond doubt; others are refused. */
final class Casts {
  private static final long MICROS_PER_DAY = 86_400_000_000L;
  private static final long NANOS_PER_MICRO = 1_000;
  private static final double TWO_TO_63 = 0x1p63;
  private static final Map<String, Double> SPECIAL =
      Map.of(
          "nan", Double.NaN,
          "infinity", Double.POSITIVE_INFINITY,
          "-infinity", Double.NEGATIVE_INFINITY);

  private Casts() {}

  static UnaryOperator<Object> of(RelDataType from, RelDataType to) {
    UnaryOperator<Object> cast = notNull(from, to);
    return value -> {
      try {
        return value == null ? null : cast.apply(value);
      } catch (ArithmeticException overflow) {
        throw Unsupported.overflow(to);
      }
    };
  }

  private static UnaryOperator<Object> notNull(RelDataType from, RelDataType to) {
    if (from.getSqlTypeName() == SqlTypeName.NULL) {
      return value -> null;
    }
    if (SqlTypeUtil.isCharacter(to)) {
      return text(from, to);
    }
    if (ValueTypes.same(from, to)) {
      return UnaryOperator.identity();
    }
    boolean numbers = SqlTypeUtil.isNumeric(from) && SqlTypeUtil.isNumeric(to);
    return numbers ? number(to) : other(from, to);
  }

  private static UnaryOperator<Object> text(RelDataType from, RelDataType to) {
    boolean unbounded = to.getPrecision() < 0 || to.getPrecision() == Integer.MAX_VALUE;
    if (!unbounded) {
      int length = to.getPrecision();
      UnaryOperator<Object> whole = wholeText(from, to);
      return value -> cut((String) whole.apply(value), length);
    }
    return wholeText(from, to);
  }

  private static String cut(String text, int length) {
    return text.codePointCount(0, text.length()) <= length
        ? text
        : text.substring(0, text.offsetByCodePoints(0, length));
  }

  private static UnaryOperator<Object> wholeText(RelDataType from, RelDataType to) {
    return switch (from.getSqlTypeName()) {
      case CHAR, VARCHAR, UUID -> UnaryOperator.identity();
      case BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT -> Object::toString;
      case DECIMAL -> value -> ((BigDecimal) value).toPlainString();
      case DATE -> Casts::date;
      default -> throw unsupported(from, to);
    };
  }

  private static Object date(Object value) {
    LocalDate date = LocalDate.ofEpochDay((Long) value);
    if (date.getYear() < 0 || date.getYear() > 9_999) {
      throw Unsupported.of("casts of years outside 0 to 9999 to text");
    }
    return date.toString();
  }

  private static UnaryOperator<Object> number(RelDataType to) {
    return switch (to.getSqlTypeName()) {
      case TINYINT, SMALLINT, INTEGER, BIGINT -> value -> integer(value, to);
      case DECIMAL -> value -> decimal(value, to);
      case FLOAT, DOUBLE ->
          value -> value instanceof Double ? value : (Object) ((Number) value).doubleValue();
      case REAL -> value -> real((Number) value, to);
      default -> throw Unsupported.of("casts to " + to);
    };
  }

  private static Object integer(Object value, RelDataType to) {
    if (value instanceof Long whole) {
      return Arithmetic.inRange(whole, to);
    }
    if (value instanceof BigDecimal number) {
      return Arithmetic.inRange(number.setScale(0, RoundingMode.HALF_UP).longValueExact(), to);
    }
    double wide = ((Number) value).doubleValue();
    double rounded = Math.signum(wide) * Math.floor(Math.abs(wide) + 0.5);
    if (!(Math.abs(wide) < TWO_TO_63)) {
      throw Unsupported.overflow(to);
    }
    if (Math.abs(wide) > 1L << 52) {
      return Arithmetic.inRange((long) wide, to);
    }
    return Arithmetic.inRange((long) rounded, to);
  }

  private static Object decimal(Object value, RelDataType to) {
    if (value instanceof Double || value instanceof Float) {
      throw Unsupported.of("casts of floating-point numbers to " + to);
    }
    return Arithmetic.fit(Arithmetic.decimal(value), to);
  }

  private static Object real(Number value, RelDataType to) {
    if (value instanceof BigDecimal) {
      throw Unsupported.of("casts of decimals to " + to);
    }
    if (value instanceof Long whole) {
      return whole.floatValue();
    }
    float narrow = value.floatValue();
    if (Float.isInfinite(narrow) && !Double.isInfinite(value.doubleValue())) {
      throw Unsupported.overflow(to);
    }
    return narrow;
  }

  private static UnaryOperator<Object> other(RelDataType from, RelDataType to) {
    if (SqlTypeUtil.isCharacter(from)) {
      return fromText(from, to);
    }
    boolean plain = to.getSqlTypeName() == SqlTypeName.TIMESTAMP;
    if (from.getSqlTypeName() == SqlTypeName.DATE && plain) {
      long unit = Literals.isNanos(to) ? MICROS_PER_DAY * NANOS_PER_MICRO : MICROS_PER_DAY;
      return value -> Math.multiplyExact((Long) value, unit);
    }
    if (from.getSqlTypeName() == SqlTypeName.TIMESTAMP && to.getSqlTypeName() == SqlTypeName.DATE) {
      long unit = Literals.isNanos(from) ? MICROS_PER_DAY * NANOS_PER_MICRO : MICROS_PER_DAY;
      return value -> Math.floorDiv((Long) value, unit);
    }
    if (from.getSqlTypeName() == to.getSqlTypeName() && isTimestamp(from)) {
      return Literals.isNanos(to)
          ? value -> Math.multiplyExact((Long) value, NANOS_PER_MICRO)
          : value -> Math.floorDiv((Long) value, NANOS_PER_MICRO);
    }
    throw unsupported(from, to);
  }

  private static UnaryOperator<Object> fromText(RelDataType from, RelDataType to) {
    if (to.getSqlTypeName() != SqlTypeName.DOUBLE) {
      throw unsupported(from, to);
    }
    return value -> {
      Double special = SPECIAL.get(((String) value).trim().toLowerCase(java.util.Locale.ROOT));
      if (special == null) {
        throw Unsupported.of("casts of text to numbers");
      }
      return special;
    };
  }

  private static boolean isTimestamp(RelDataType type) {
    return type.getSqlTypeName() == SqlTypeName.TIMESTAMP
        || type.getSqlTypeName() == SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE;
  }

  private static RuntimeException unsupported(RelDataType from, RelDataType to) {
    return Unsupported.of("casts from " + from + " to " + to);
  }
}
