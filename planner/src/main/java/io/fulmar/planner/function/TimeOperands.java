package io.fulmar.planner.function;

import static java.util.Objects.requireNonNull;

import java.util.function.BiPredicate;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlOperandCountRange;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.type.SqlOperandTypeChecker;

/** Pairs of operands that fit as they are; all others are left to Calcite's rule. */
record TimeOperands(SqlOperandTypeChecker others, BiPredicate<RelDataType, RelDataType> fits)
    implements SqlOperandTypeChecker {
  TimeOperands {
    requireNonNull(others, "others is null");
    requireNonNull(fits, "fits is null");
  }

  @Override
  public boolean checkOperandTypes(SqlCallBinding binding, boolean throwOnFailure) {
    return fits.test(binding.getOperandType(0), binding.getOperandType(1))
        || others.checkOperandTypes(binding, throwOnFailure);
  }

  @Override
  public SqlOperandCountRange getOperandCountRange() {
    return others.getOperandCountRange();
  }

  @Override
  public String getAllowedSignatures(SqlOperator operator, String name) {
    return others.getAllowedSignatures(operator, name);
  }

  @Override
  public Consistency getConsistency() {
    return others.getConsistency();
  }
}
