package io.fulmar.reference.compute;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlKind;

/** Checked arithmetic: integers and decimals never wrap, floats follow IEEE 754. */
final class Arithmetic {
  private Arithmetic() {}

  /** Adds, subtracts, multiplies, divides or takes the remainder of two values of one type. */
  static Object binary(SqlKind kind, Object left, Object right, RelDataType type) {
    if (left == null || right == null) {
      return null;
    }
    try {
      return switch (type.getSqlTypeName()) {
        case TINYINT, SMALLINT, INTEGER, BIGINT ->
            inRange(integers(kind, (Long) left, (Long) right), type);
        case REAL -> (float) reals(kind, (Float) left, (Float) right);
        case FLOAT, DOUBLE -> doubles(kind, real(left), real(right));
        case DECIMAL -> decimals(kind, decimal(left), decimal(right), type);
        default -> throw Unsupported.of(kind + " of type " + type);
      };
    } catch (ArithmeticException overflow) {
      throw Unsupported.overflow(type);
    }
  }

  private static long integers(SqlKind kind, long left, long right) {
    return switch (kind) {
      case PLUS -> Math.addExact(left, right);
      case MINUS -> Math.subtractExact(left, right);
      case TIMES -> Math.multiplyExact(left, right);
      case DIVIDE -> {
        if (left == Long.MIN_VALUE && right == -1) {
          throw new ArithmeticException();
        }
        yield left / nonZero(right);
      }
      case MOD -> left % nonZero(right);
      default -> throw Unsupported.of(kind.toString());
    };
  }

  private static long nonZero(long divisor) {
    if (divisor == 0) {
      throw zeroDivisor();
    }
    return divisor;
  }

  private static double doubles(SqlKind kind, double left, double right) {
    return switch (kind) {
      case PLUS -> left + right;
      case MINUS -> left - right;
      case TIMES -> left * right;
      case DIVIDE -> left / right;
      default -> throw Unsupported.of(kind + " of floating-point numbers");
    };
  }

  private static float reals(SqlKind kind, float left, float right) {
    return switch (kind) {
      case PLUS -> left + right;
      case MINUS -> left - right;
      case TIMES -> left * right;
      case DIVIDE -> left / right;
      default -> throw Unsupported.of(kind + " of floating-point numbers");
    };
  }

  private static BigDecimal decimals(
      SqlKind kind, BigDecimal left, BigDecimal right, RelDataType type) {
    return switch (kind) {
      case PLUS -> fit(left.add(right), type);
      case MINUS -> fit(left.subtract(right), type);
      case TIMES -> fit(left.multiply(right), type);
      case DIVIDE -> {
        if (right.signum() == 0) {
          throw zeroDivisor();
        }
        yield fit(left.divide(right, type.getScale(), RoundingMode.HALF_UP), type);
      }
      case MOD -> {
        if (right.signum() == 0) {
          throw zeroDivisor();
        }
        yield fit(left.remainder(right), type);
      }
      default -> throw Unsupported.of(kind.toString());
    };
  }

  private static FulmarException zeroDivisor() {
    return new FulmarException(ErrorCode.DIVISION_BY_ZERO, "Division by zero");
  }

  static Object negate(Object value, RelDataType type) {
    if (value == null) {
      return null;
    }
    if (value instanceof Float number) {
      return -number;
    }
    if (value instanceof Double number) {
      return -number;
    }
    return value instanceof BigDecimal number
        ? number.negate()
        : binary(SqlKind.MINUS, 0L, value, type);
  }

  static Object abs(Object value, RelDataType type) {
    if (value == null) {
      return null;
    }
    if (value instanceof Float number) {
      return Math.abs(number);
    }
    if (value instanceof Double number) {
      return Math.abs(number);
    }
    if (value instanceof BigDecimal number) {
      return number.abs();
    }
    return (Long) value < 0 ? negate(value, type) : value;
  }

  /** The decimal rounded half away from zero to the type's scale. */
  static BigDecimal fit(BigDecimal value, RelDataType type) {
    BigDecimal scaled = value.setScale(type.getScale(), RoundingMode.HALF_UP);
    if (scaled.precision() > type.getPrecision()) {
      throw Unsupported.overflow(type);
    }
    return scaled;
  }

  /** The integer, if its type can hold it. */
  static Long inRange(long value, RelDataType type) {
    boolean fits =
        switch (type.getSqlTypeName()) {
          case TINYINT -> value == (byte) value;
          case SMALLINT -> value == (short) value;
          case INTEGER -> value == (int) value;
          default -> true;
        };
    if (!fits) {
      throw Unsupported.overflow(type);
    }
    return value;
  }

  static BigDecimal decimal(Object value) {
    return value instanceof Long number ? BigDecimal.valueOf(number) : (BigDecimal) value;
  }

  private static double real(Object value) {
    return ((Number) value).doubleValue();
  }
}
