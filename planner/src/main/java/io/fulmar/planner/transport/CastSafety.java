package io.fulmar.planner.transport;

import io.fulmar.planner.logical.ValueTypes;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** Which casts succeed for every value. */
final class CastSafety {
  private CastSafety() {}

  static boolean isTotal(RelDataType source, RelDataType target) {
    if (ValueTypes.same(source, target)) {
      return true;
    }
    if (SqlTypeUtil.isExactNumeric(source) && SqlTypeUtil.isExactNumeric(target)) {
      return wholeDigits(target) >= wholeDigits(source)
          && (SqlTypeUtil.isDecimal(target) || !SqlTypeUtil.isDecimal(source));
    }
    return SqlTypeUtil.isNumeric(source) && target.getSqlTypeName() == SqlTypeName.DOUBLE;
  }

  private static int wholeDigits(RelDataType type) {
    return switch (type.getSqlTypeName()) {
      case TINYINT -> 3;
      case SMALLINT -> 5;
      case INTEGER -> 10;
      case BIGINT -> 19;
      default -> type.getPrecision() - type.getScale();
    };
  }
}
