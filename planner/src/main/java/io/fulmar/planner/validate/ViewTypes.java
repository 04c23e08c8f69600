package io.fulmar.planner.validate;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** Which types of a view's query can stand for a type that the view promises. */
final class ViewTypes {
  private ViewTypes() {}

  /**
   * Whether every value of a type is one of another, or the cast between them fails for those that
   * are not: no value changes.
   */
  static boolean fits(RelDataType given, RelDataType promised) {
    SqlTypeName from = given.getSqlTypeName();
    SqlTypeName to = promised.getSqlTypeName();
    if (from == SqlTypeName.NULL || same(given, promised)) {
      return true;
    }
    if (SqlTypeName.INT_TYPES.contains(from) && SqlTypeName.INT_TYPES.contains(to)) {
      return true;
    }
    if (SqlTypeUtil.isDecimal(promised) && SqlTypeUtil.isExactNumeric(given)) {
      return promised.getScale() >= given.getScale();
    }
    if (SqlTypeUtil.isCharacter(given) && SqlTypeUtil.isCharacter(promised)) {
      return true;
    }
    if (SqlTypeUtil.isApproximateNumeric(given) && SqlTypeUtil.isApproximateNumeric(promised)) {
      return from == SqlTypeName.REAL || to != SqlTypeName.REAL;
    }
    boolean times = SqlTypeUtil.isDatetime(given) && from == to;
    return times && promised.getPrecision() >= given.getPrecision();
  }

  private static boolean same(RelDataType left, RelDataType right) {
    return SqlTypeUtil.equalSansNullability(left, right)
        || withoutNullability(left).equals(withoutNullability(right));
  }

  /** Nullability inside of nested types is not promised. */
  private static String withoutNullability(RelDataType type) {
    return type.getFullTypeString().replace(" NOT NULL", "");
  }
}
