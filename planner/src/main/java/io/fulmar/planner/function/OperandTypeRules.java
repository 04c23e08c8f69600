package io.fulmar.planner.function;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.SqlOperandTypeChecker;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeTransforms;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** Result and operand types that Calcite has no ready rule for. */
final class OperandTypeRules {
  private OperandTypeRules() {}

  /** TIMESTAMP gives TIMESTAMP WITH LOCAL TIME ZONE and the other way round. */
  static SqlReturnTypeInference otherZoning() {
    return binding -> {
      RelDataType type = binding.getOperandType(0);
      SqlTypeName name =
          type.getSqlTypeName() == SqlTypeName.TIMESTAMP
              ? SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE
              : SqlTypeName.TIMESTAMP;
      RelDataTypeFactory factory = binding.getTypeFactory();
      RelDataType result =
          type.getPrecision() == RelDataType.PRECISION_NOT_SPECIFIED
              ? factory.createSqlType(name)
              : factory.createSqlType(name, type.getPrecision());
      return SqlTypeTransforms.TO_NULLABLE.transformType(binding, result);
    };
  }

  /** Text gives VARCHAR, bytes give VARBINARY. */
  static SqlReturnTypeInference varying() {
    return binding -> {
      SqlTypeName name =
          SqlTypeUtil.isBinary(binding.getOperandType(0))
              ? SqlTypeName.VARBINARY
              : SqlTypeName.VARCHAR;
      return SqlTypeTransforms.TO_NULLABLE.transformType(
          binding, binding.getTypeFactory().createSqlType(name));
    };
  }

  static SqlOperandTypeChecker substring() {
    return OperandTypes.or(
        OperandTypes.family(SqlTypeFamily.STRING, SqlTypeFamily.INTEGER),
        OperandTypes.family(SqlTypeFamily.STRING, SqlTypeFamily.INTEGER, SqlTypeFamily.INTEGER));
  }

  /** An array of nullable elements. */
  static SqlReturnTypeInference arrayOf(SqlTypeName element) {
    return binding -> {
      RelDataTypeFactory factory = binding.getTypeFactory();
      RelDataType type = factory.createTypeWithNullability(factory.createSqlType(element), true);
      return SqlTypeTransforms.TO_NULLABLE.transformType(
          binding, factory.createArrayType(type, -1));
    };
  }

  static SqlReturnTypeInference mapKeys() {
    return binding ->
        SqlTypeTransforms.TO_NULLABLE.transformType(
            binding,
            binding.getTypeFactory().createArrayType(binding.getOperandType(0).getKeyType(), -1));
  }

  static SqlReturnTypeInference mapValues() {
    return binding ->
        SqlTypeTransforms.TO_NULLABLE.transformType(
            binding,
            binding.getTypeFactory().createArrayType(binding.getOperandType(0).getValueType(), -1));
  }
}
