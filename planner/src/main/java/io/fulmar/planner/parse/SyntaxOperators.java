package io.fulmar.planner.parse;

import org.apache.calcite.sql.SqlBinaryOperator;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSpecialOperator;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;

/** Operators that only the parser makes; name resolution replaces them. */
public final class SyntaxOperators {
  private static final int TIGHTER_THAN_ARITHMETIC = 80;

  /** {@code value AT TIME ZONE zone}. */
  public static final SqlBinaryOperator AT_TIME_ZONE =
      new SqlBinaryOperator(
          "AT TIME ZONE",
          SqlKind.OTHER,
          TIGHTER_THAN_ARITHMETIC,
          true,
          ReturnTypes.ARG0,
          null,
          OperandTypes.ANY_ANY);

  /** An interval literal of months and of seconds: two operands of the two kinds. */
  public static final SqlOperator MIXED_INTERVAL =
      new SqlSpecialOperator("MIXED INTERVAL", SqlKind.OTHER);

  private SyntaxOperators() {}
}
