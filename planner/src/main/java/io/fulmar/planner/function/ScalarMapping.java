package io.fulmar.planner.function;

import io.fulmar.engine.plan.ScalarFunction;
import java.util.HashMap;
import java.util.Map;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlLibraryOperators;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/** The plan language's function for each operator that takes its operands as they stand. */
final class ScalarMapping {
  static final Map<SqlOperator, ScalarFunction> BY_OPERATOR;

  static {
    Map<SqlOperator, ScalarFunction> mapping = new HashMap<>(ScalarFunctions.mapping());
    addComparisons(mapping);
    addArithmetic(mapping);
    addStrings(mapping);
    addNested(mapping);
    BY_OPERATOR = Map.copyOf(mapping);
  }

  private ScalarMapping() {}

  private static void addComparisons(Map<SqlOperator, ScalarFunction> mapping) {
    mapping.put(SqlStdOperatorTable.EQUALS, ScalarFunction.EQ);
    mapping.put(SqlStdOperatorTable.NOT_EQUALS, ScalarFunction.NE);
    mapping.put(SqlStdOperatorTable.LESS_THAN, ScalarFunction.LT);
    mapping.put(SqlStdOperatorTable.LESS_THAN_OR_EQUAL, ScalarFunction.LE);
    mapping.put(SqlStdOperatorTable.GREATER_THAN, ScalarFunction.GT);
    mapping.put(SqlStdOperatorTable.GREATER_THAN_OR_EQUAL, ScalarFunction.GE);
    mapping.put(SqlStdOperatorTable.IS_DISTINCT_FROM, ScalarFunction.IS_DISTINCT_FROM);
    mapping.put(SqlStdOperatorTable.IS_NOT_DISTINCT_FROM, ScalarFunction.IS_NOT_DISTINCT_FROM);
    mapping.put(SqlStdOperatorTable.IS_NULL, ScalarFunction.IS_NULL);
    mapping.put(SqlStdOperatorTable.IS_UNKNOWN, ScalarFunction.IS_NULL);
    mapping.put(SqlStdOperatorTable.IS_NOT_NULL, ScalarFunction.IS_NOT_NULL);
    mapping.put(SqlStdOperatorTable.IS_NOT_UNKNOWN, ScalarFunction.IS_NOT_NULL);
    mapping.put(SqlStdOperatorTable.IS_TRUE, ScalarFunction.IS_TRUE);
    mapping.put(SqlStdOperatorTable.IS_NOT_TRUE, ScalarFunction.IS_NOT_TRUE);
    mapping.put(SqlStdOperatorTable.IS_FALSE, ScalarFunction.IS_FALSE);
    mapping.put(SqlStdOperatorTable.IS_NOT_FALSE, ScalarFunction.IS_NOT_FALSE);
    mapping.put(SqlStdOperatorTable.AND, ScalarFunction.AND);
    mapping.put(SqlStdOperatorTable.OR, ScalarFunction.OR);
    mapping.put(SqlStdOperatorTable.NOT, ScalarFunction.NOT);
    mapping.put(SqlStdOperatorTable.LIKE, ScalarFunction.LIKE);
    mapping.put(SqlLibraryOperators.ILIKE, ScalarFunction.ILIKE);
    mapping.put(SqlStdOperatorTable.SIMILAR_TO, ScalarFunction.SIMILAR_TO);
    mapping.put(SqlStdOperatorTable.COALESCE, ScalarFunction.COALESCE);
    mapping.put(SqlStdOperatorTable.NULLIF, ScalarFunction.NULLIF);
  }

  private static void addArithmetic(Map<SqlOperator, ScalarFunction> mapping) {
    mapping.put(SqlStdOperatorTable.PLUS, ScalarFunction.ADD);
    mapping.put(SqlStdOperatorTable.MINUS, ScalarFunction.SUBTRACT);
    mapping.put(SqlStdOperatorTable.MULTIPLY, ScalarFunction.MULTIPLY);
    mapping.put(SqlStdOperatorTable.DIVIDE, ScalarFunction.DIVIDE);
    mapping.put(SqlStdOperatorTable.DIVIDE_INTEGER, ScalarFunction.DIVIDE);
    mapping.put(SqlStdOperatorTable.MOD, ScalarFunction.MODULO);
    mapping.put(SqlStdOperatorTable.PERCENT_REMAINDER, ScalarFunction.MODULO);
    mapping.put(SqlStdOperatorTable.UNARY_MINUS, ScalarFunction.NEGATE);
    mapping.put(SqlStdOperatorTable.ABS, ScalarFunction.ABS);
    mapping.put(SqlStdOperatorTable.SIGN, ScalarFunction.SIGN);
    mapping.put(SqlStdOperatorTable.ROUND, ScalarFunction.ROUND);
    mapping.put(SqlStdOperatorTable.TRUNCATE, ScalarFunction.TRUNCATE);
    mapping.put(SqlStdOperatorTable.FLOOR, ScalarFunction.FLOOR);
    mapping.put(SqlStdOperatorTable.CEIL, ScalarFunction.CEIL);
    mapping.put(SqlStdOperatorTable.POWER, ScalarFunction.POWER);
    mapping.put(SqlStdOperatorTable.SQRT, ScalarFunction.SQRT);
    mapping.put(SqlStdOperatorTable.EXP, ScalarFunction.EXP);
    mapping.put(SqlStdOperatorTable.LN, ScalarFunction.LN);
    mapping.put(SqlStdOperatorTable.LOG10, ScalarFunction.LOG10);
    mapping.put(SqlStdOperatorTable.CBRT, ScalarFunction.CBRT);
    mapping.put(SqlStdOperatorTable.SIN, ScalarFunction.SIN);
    mapping.put(SqlStdOperatorTable.COS, ScalarFunction.COS);
    mapping.put(SqlStdOperatorTable.TAN, ScalarFunction.TAN);
    mapping.put(SqlStdOperatorTable.COT, ScalarFunction.COT);
    mapping.put(SqlStdOperatorTable.ASIN, ScalarFunction.ASIN);
    mapping.put(SqlStdOperatorTable.ACOS, ScalarFunction.ACOS);
    mapping.put(SqlStdOperatorTable.ATAN, ScalarFunction.ATAN);
    mapping.put(SqlStdOperatorTable.ATAN2, ScalarFunction.ATAN2);
    mapping.put(SqlStdOperatorTable.DEGREES, ScalarFunction.DEGREES);
    mapping.put(SqlStdOperatorTable.RADIANS, ScalarFunction.RADIANS);
    mapping.put(SqlStdOperatorTable.BIT_LEFT_SHIFT, ScalarFunction.SHIFT_LEFT);
    mapping.put(SqlStdOperatorTable.BITXOR_OPERATOR, ScalarFunction.BIT_XOR);
    mapping.put(SqlStdOperatorTable.BITAND_OPERATOR, ScalarFunction.BIT_AND);
  }

  private static void addStrings(Map<SqlOperator, ScalarFunction> mapping) {
    mapping.put(SqlStdOperatorTable.CONCAT, ScalarFunction.CONCAT_OP);
    mapping.put(SqlStdOperatorTable.CHAR_LENGTH, ScalarFunction.CHAR_LENGTH);
    mapping.put(SqlStdOperatorTable.CHARACTER_LENGTH, ScalarFunction.CHAR_LENGTH);
    mapping.put(SqlStdOperatorTable.OCTET_LENGTH, ScalarFunction.OCTET_LENGTH);
    mapping.put(SqlStdOperatorTable.UPPER, ScalarFunction.UPPER);
    mapping.put(SqlStdOperatorTable.LOWER, ScalarFunction.LOWER);
    mapping.put(SqlStdOperatorTable.INITCAP, ScalarFunction.INITCAP);
    mapping.put(SqlStdOperatorTable.ASCII, ScalarFunction.ASCII);
    mapping.put(SqlStdOperatorTable.REPLACE, ScalarFunction.REPLACE);
    mapping.put(SqlStdOperatorTable.SUBSTRING, ScalarFunction.SUBSTRING);
    mapping.put(SqlStdOperatorTable.OVERLAY, ScalarFunction.OVERLAY);
    mapping.put(SqlStdOperatorTable.LAST_DAY, ScalarFunction.LAST_DAY);
  }

  private static void addNested(Map<SqlOperator, ScalarFunction> mapping) {
    mapping.put(SqlStdOperatorTable.ROW, ScalarFunction.ROW);
    mapping.put(SqlStdOperatorTable.ARRAY_VALUE_CONSTRUCTOR, ScalarFunction.ARRAY);
    mapping.put(SqlStdOperatorTable.MAP_VALUE_CONSTRUCTOR, ScalarFunction.MAP_OF);
    mapping.put(SqlStdOperatorTable.CARDINALITY, ScalarFunction.CARDINALITY);
  }
}
