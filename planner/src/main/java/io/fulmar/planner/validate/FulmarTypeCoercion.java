package io.fulmar.planner.validate;

import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.implicit.TypeCoercionImpl;
import org.apache.calcite.util.Util;

/**
 * Calcite's implicit casts, and one more: where timestamps with and without zone meet, and one is
 * constant, the constant is cast, so that the column stays comparable with file statistics.
 */
final class FulmarTypeCoercion extends TypeCoercionImpl {
  FulmarTypeCoercion(RelDataTypeFactory factory, SqlValidator validator) {
    super(factory, validator);
  }

  @Override
  public boolean binaryComparisonCoercion(SqlCallBinding binding) {
    boolean coerced = super.binaryComparisonCoercion(binding);
    SqlCall call = binding.getCall();
    if (!SqlKind.COMPARISON.contains(call.getKind()) || call.operandCount() != 2) {
      return coerced;
    }
    List<RelDataType> types = List.of(binding.getOperandType(0), binding.getOperandType(1));
    for (int i = 0; i < 2; i++) {
      RelDataType other = types.get(1 - i);
      if (isTimestamp(types.get(i))
          && isTimestamp(other)
          && types.get(i).getSqlTypeName() != other.getSqlTypeName()
          && isConstant(call.operand(i))) {
        return coerceOperandType(binding.getScope(), call, i, other) || coerced;
      }
    }
    return coerced;
  }

  private static boolean isTimestamp(RelDataType type) {
    return type.getSqlTypeName() == SqlTypeName.TIMESTAMP
        || type.getSqlTypeName() == SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE;
  }

  private static boolean isConstant(SqlNode node) {
    try {
      node.accept(
          new SqlBasicVisitor<Void>() {
            @Override
            public Void visit(SqlIdentifier identifier) {
              throw Util.FoundOne.NULL;
            }
          });
      return true;
    } catch (Util.FoundOne e) {
      return false;
    }
  }
}
