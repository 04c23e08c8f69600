package io.fulmar.planner.type;

import static java.util.Objects.requireNonNull;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeSystemImpl;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * The type rules of the engine: decimals to 38 digits, times to nanoseconds, and the result types
 * of DataFusion's arithmetic and aggregates, so that announced types are those that are computed.
 */
public final class FulmarTypeSystem extends RelDataTypeSystemImpl {
  public static final FulmarTypeSystem INSTANCE = new FulmarTypeSystem();

  /** Digits of the widest decimal. */
  public static final int MAX_DECIMAL_DIGITS = 38;

  /** Fractional digits of a second in a type that names no precision: microseconds. */
  public static final int DEFAULT_TIME_PRECISION = 6;

  private static final int MAX_TIME_PRECISION = 9;
  private static final int INTERVAL_START_PRECISION = 10;
  private static final int SUM_EXTRA_DIGITS = 10;
  private static final int AVG_EXTRA_DIGITS = 4;
  private static final int QUOTIENT_EXTRA_SCALE = 4;

  private FulmarTypeSystem() {}

  @Override
  public int getMaxPrecision(SqlTypeName typeName) {
    return switch (typeName) {
      case DECIMAL -> MAX_DECIMAL_DIGITS;
      case TIME, TIMESTAMP, TIMESTAMP_WITH_LOCAL_TIME_ZONE, TIMESTAMP_TZ -> MAX_TIME_PRECISION;
      case CHAR, VARCHAR, BINARY, VARBINARY -> Integer.MAX_VALUE;
      default -> super.getMaxPrecision(typeName);
    };
  }

  @Override
  public int getMaxScale(SqlTypeName typeName) {
    return typeName == SqlTypeName.DECIMAL ? MAX_DECIMAL_DIGITS : super.getMaxScale(typeName);
  }

  @Override
  public int getDefaultPrecision(SqlTypeName typeName) {
    return switch (typeName) {
      case DECIMAL -> MAX_DECIMAL_DIGITS;
      case TIME, TIMESTAMP, TIMESTAMP_WITH_LOCAL_TIME_ZONE, TIMESTAMP_TZ -> DEFAULT_TIME_PRECISION;
      default ->
          SqlTypeName.INTERVAL_TYPES.contains(typeName)
              ? INTERVAL_START_PRECISION
              : super.getDefaultPrecision(typeName);
    };
  }

  /** CASE over 'a' and 'bcd' is VARCHAR, not a CHAR padded with blanks. */
  @Override
  public boolean shouldConvertRaggedUnionTypesToVarying() {
    return true;
  }

  @Override
  public RelDataType deriveSumType(RelDataTypeFactory factory, RelDataType argument) {
    RelDataType sum =
        switch (argument.getSqlTypeName()) {
          case TINYINT, SMALLINT, INTEGER, BIGINT -> factory.createSqlType(SqlTypeName.BIGINT);
          case REAL, FLOAT, DOUBLE -> factory.createSqlType(SqlTypeName.DOUBLE);
          case DECIMAL ->
              decimal(factory, argument.getPrecision() + SUM_EXTRA_DIGITS, argument.getScale());
          default -> argument;
        };
    return factory.createTypeWithNullability(sum, argument.isNullable());
  }

  @Override
  public RelDataType deriveAvgAggType(RelDataTypeFactory factory, RelDataType argument) {
    RelDataType average =
        SqlTypeUtil.isDecimal(argument)
            ? decimal(
                factory,
                argument.getPrecision() + AVG_EXTRA_DIGITS,
                argument.getScale() + AVG_EXTRA_DIGITS)
            : factory.createSqlType(SqlTypeName.DOUBLE);
    return factory.createTypeWithNullability(average, argument.isNullable());
  }

  @Override
  public RelDataType deriveCovarType(
      RelDataTypeFactory factory, RelDataType first, RelDataType second) {
    return factory.createTypeWithNullability(factory.createSqlType(SqlTypeName.DOUBLE), true);
  }

  @Override
  public RelDataType deriveFractionalRankType(RelDataTypeFactory factory) {
    return factory.createSqlType(SqlTypeName.DOUBLE);
  }

  @Override
  public RelDataType deriveRankType(RelDataTypeFactory factory) {
    return factory.createSqlType(SqlTypeName.BIGINT);
  }

  @Override
  public RelDataType deriveDecimalPlusType(
      RelDataTypeFactory factory, RelDataType left, RelDataType right) {
    if (!involvesDecimal(left, right)) {
      return null;
    }
    RelDataType first = asDecimal(factory, left);
    RelDataType second = asDecimal(factory, right);
    int scale = Math.max(first.getScale(), second.getScale());
    int whole = Math.max(wholeDigits(first), wholeDigits(second));
    return nullable(factory, decimal(factory, whole + scale + 1, scale), left, right);
  }

  @Override
  public RelDataType deriveDecimalMultiplyType(
      RelDataTypeFactory factory, RelDataType left, RelDataType right) {
    if (!involvesDecimal(left, right)) {
      return null;
    }
    RelDataType first = asDecimal(factory, left);
    RelDataType second = asDecimal(factory, right);
    int precision = first.getPrecision() + second.getPrecision() + 1;
    int scale = first.getScale() + second.getScale();
    return nullable(factory, decimal(factory, precision, scale), left, right);
  }

  @Override
  public RelDataType deriveDecimalDivideType(
      RelDataTypeFactory factory, RelDataType left, RelDataType right) {
    if (!involvesDecimal(left, right)) {
      return null;
    }
    RelDataType first = asDecimal(factory, left);
    RelDataType second = asDecimal(factory, right);
    int scale = first.getScale() + QUOTIENT_EXTRA_SCALE;
    int precision = wholeDigits(first) + second.getScale() + scale;
    return nullable(factory, decimal(factory, precision, scale), left, right);
  }

  @Override
  public RelDataType deriveDecimalModType(
      RelDataTypeFactory factory, RelDataType left, RelDataType right) {
    if (!involvesDecimal(left, right)) {
      return null;
    }
    RelDataType first = asDecimal(factory, left);
    RelDataType second = asDecimal(factory, right);
    int scale = Math.max(first.getScale(), second.getScale());
    int whole = Math.min(wholeDigits(first), wholeDigits(second));
    return nullable(factory, decimal(factory, whole + scale, scale), left, right);
  }

  private static boolean involvesDecimal(RelDataType left, RelDataType right) {
    return SqlTypeUtil.isExactNumeric(left)
        && SqlTypeUtil.isExactNumeric(right)
        && (SqlTypeUtil.isDecimal(left) || SqlTypeUtil.isDecimal(right));
  }

  private static int wholeDigits(RelDataType decimal) {
    return decimal.getPrecision() - decimal.getScale();
  }

  /** An exact number's type as a decimal: INTEGER is (10,0), BIGINT is (20,0). */
  private static RelDataType asDecimal(RelDataTypeFactory factory, RelDataType type) {
    return switch (type.getSqlTypeName()) {
      case TINYINT -> factory.createSqlType(SqlTypeName.DECIMAL, 3, 0);
      case SMALLINT -> factory.createSqlType(SqlTypeName.DECIMAL, 5, 0);
      case INTEGER -> factory.createSqlType(SqlTypeName.DECIMAL, 10, 0);
      case BIGINT -> factory.createSqlType(SqlTypeName.DECIMAL, 20, 0);
      default -> type;
    };
  }

  private static RelDataType decimal(RelDataTypeFactory factory, int precision, int scale) {
    return factory.createSqlType(
        SqlTypeName.DECIMAL,
        Math.min(MAX_DECIMAL_DIGITS, Math.max(1, precision)),
        Math.min(MAX_DECIMAL_DIGITS, scale));
  }

  private static RelDataType nullable(
      RelDataTypeFactory factory, RelDataType type, RelDataType left, RelDataType right) {
    requireNonNull(type, "type is null");
    return factory.createTypeWithNullability(type, left.isNullable() || right.isNullable());
  }
}
