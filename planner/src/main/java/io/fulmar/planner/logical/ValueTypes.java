package io.fulmar.planner.logical;

import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** Which SQL types hold values in the same form, and the type in which two of them meet. */
public final class ValueTypes {
  private static final int MAX_DECIMAL_DIGITS = 38;
  private static final int MICROS = 6;
  private static final int NANOS = 9;

  private ValueTypes() {}

  /**
   * Whether values of both types have one form in the engine: lengths of text and bytes, precisions
   * of times within one unit and nullability do not count.
   */
  public static boolean same(RelDataType left, RelDataType right) {
    if (left.isStruct() || right.isStruct()) {
      return left.isStruct() && right.isStruct() && sameFields(left, right);
    }
    SqlTypeName name = canonical(left);
    if (name != canonical(right)) {
      return false;
    }
    return switch (name) {
      case DECIMAL ->
          left.getPrecision() == right.getPrecision() && left.getScale() == right.getScale();
      case TIMESTAMP, TIMESTAMP_WITH_LOCAL_TIME_ZONE -> isNanos(left) == isNanos(right);
      case ARRAY -> same(left.getComponentType(), right.getComponentType());
      case MAP ->
          same(left.getKeyType(), right.getKeyType())
              && same(left.getValueType(), right.getValueType());
      default -> true;
    };
  }

  private static boolean sameFields(RelDataType left, RelDataType right) {
    List<RelDataTypeField> leftFields = left.getFieldList();
    List<RelDataTypeField> rightFields = right.getFieldList();
    if (leftFields.size() != rightFields.size()) {
      return false;
    }
    for (int i = 0; i < leftFields.size(); i++) {
      if (!leftFields.get(i).getName().equals(rightFields.get(i).getName())
          || !same(leftFields.get(i).getType(), rightFields.get(i).getType())) {
        return false;
      }
    }
    return true;
  }

  /** The type in which values of both can be compared without loss, where there is one. */
  static Optional<RelDataType> common(
      RelDataTypeFactory factory, RelDataType left, RelDataType right) {
    if (same(left, right)) {
      return Optional.of(left);
    }
    if (left.getSqlTypeName() == SqlTypeName.NULL) {
      return Optional.of(right);
    }
    if (right.getSqlTypeName() == SqlTypeName.NULL) {
      return Optional.of(left);
    }
    if (SqlTypeUtil.isNumeric(left) && SqlTypeUtil.isNumeric(right)) {
      return Optional.of(commonNumber(factory, left, right));
    }
    if (isTime(left) && isTime(right)) {
      return commonTime(factory, left, right);
    }
    return Optional.ofNullable(factory.leastRestrictive(List.of(left, right)));
  }

  private static RelDataType commonNumber(
      RelDataTypeFactory factory, RelDataType left, RelDataType right) {
    if (SqlTypeUtil.isApproximateNumeric(left) || SqlTypeUtil.isApproximateNumeric(right)) {
      boolean real = canonical(left) == SqlTypeName.REAL && canonical(right) == SqlTypeName.REAL;
      return factory.createSqlType(real ? SqlTypeName.REAL : SqlTypeName.DOUBLE);
    }
    if (SqlTypeUtil.isDecimal(left) || SqlTypeUtil.isDecimal(right)) {
      int scale = Math.max(scale(left), scale(right));
      int whole = Math.max(digits(left) - scale(left), digits(right) - scale(right));
      return factory.createSqlType(
          SqlTypeName.DECIMAL, Math.min(MAX_DECIMAL_DIGITS, whole + scale), scale);
    }
    return digits(left) >= digits(right) ? left : right;
  }

  private static Optional<RelDataType> commonTime(
      RelDataTypeFactory factory, RelDataType left, RelDataType right) {
    SqlTypeName leftName = canonical(left);
    SqlTypeName rightName = canonical(right);
    boolean zoned =
        leftName == SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE
            || rightName == SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE;
    int precision = isNanos(left) || isNanos(right) ? NANOS : MICROS;
    return Optional.of(
        factory.createSqlType(
            zoned ? SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE : SqlTypeName.TIMESTAMP, precision));
  }

  /** Whether a cast succeeds for every value and keeps all of them, and their order. */
  public static boolean isTotalCast(RelDataType source, RelDataType target) {
    if (same(source, target)) {
      return true;
    }
    return SqlTypeUtil.isExactNumeric(source)
        && SqlTypeUtil.isExactNumeric(target)
        && scale(target) >= scale(source)
        && wholeDigits(target) >= wholeDigits(source)
        && (SqlTypeUtil.isDecimal(target) || !SqlTypeUtil.isDecimal(source));
  }

  private static int wholeDigits(RelDataType type) {
    return type.getSqlTypeName() == SqlTypeName.BIGINT ? 19 : digits(type) - scale(type);
  }

  private static boolean isTime(RelDataType type) {
    SqlTypeName name = canonical(type);
    return name == SqlTypeName.DATE
        || name == SqlTypeName.TIMESTAMP
        || name == SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE;
  }

  /** Whether a timestamp type counts nanoseconds; others count microseconds. */
  public static boolean isNanos(RelDataType type) {
    return (canonical(type) == SqlTypeName.TIMESTAMP
            || canonical(type) == SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE)
        && type.getPrecision() > MICROS;
  }

  /** Decimal digits that hold every value of an exact number type. */
  static int digits(RelDataType type) {
    return switch (type.getSqlTypeName()) {
      case TINYINT -> 3;
      case SMALLINT -> 5;
      case INTEGER -> 10;
      case BIGINT -> 20;
      default -> type.getPrecision();
    };
  }

  private static int scale(RelDataType type) {
    return SqlTypeUtil.isDecimal(type) ? type.getScale() : 0;
  }

  /** One name for each form of values. */
  static SqlTypeName canonical(RelDataType type) {
    SqlTypeName name = type.getSqlTypeName();
    return switch (name) {
      case CHAR -> SqlTypeName.VARCHAR;
      case UUID -> SqlTypeName.VARCHAR;
      case BINARY -> SqlTypeName.VARBINARY;
      case FLOAT -> SqlTypeName.DOUBLE;
      case TIMESTAMP_TZ -> SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE;
      case MULTISET -> SqlTypeName.ARRAY;
      case INTERVAL_YEAR, INTERVAL_YEAR_MONTH, INTERVAL_MONTH -> SqlTypeName.INTERVAL_MONTH;
      default -> SqlTypeName.DAY_INTERVAL_TYPES.contains(name) ? SqlTypeName.INTERVAL_SECOND : name;
    };
  }
}
