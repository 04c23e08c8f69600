package io.fulmar.planner.function;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlLibraryOperators;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * Which of Calcite's operators the language has: all that are written as operators or clauses, and
 * those functions that can be executed.
 */
final class StandardOperators {
  /** Functions that conversion or this package's mapping turns into something executable. */
  private static final Set<SqlOperator> FUNCTIONS =
      Set.of(
          SqlStdOperatorTable.ABS,
          SqlStdOperatorTable.ACOS,
          SqlStdOperatorTable.ASCII,
          SqlStdOperatorTable.ASIN,
          SqlStdOperatorTable.ATAN,
          SqlStdOperatorTable.ATAN2,
          SqlStdOperatorTable.CARDINALITY,
          SqlStdOperatorTable.CAST,
          SqlStdOperatorTable.CBRT,
          SqlStdOperatorTable.CEIL,
          SqlStdOperatorTable.CHARACTER_LENGTH,
          SqlStdOperatorTable.CHAR_LENGTH,
          SqlStdOperatorTable.COALESCE,
          SqlStdOperatorTable.COS,
          SqlStdOperatorTable.COT,
          SqlStdOperatorTable.DAYOFMONTH,
          SqlStdOperatorTable.DAYOFWEEK,
          SqlStdOperatorTable.DAYOFYEAR,
          SqlStdOperatorTable.DEGREES,
          SqlStdOperatorTable.EXP,
          SqlStdOperatorTable.EXTRACT,
          SqlStdOperatorTable.FLOOR,
          SqlStdOperatorTable.HOUR,
          SqlStdOperatorTable.INITCAP,
          SqlStdOperatorTable.LAST_DAY,
          SqlStdOperatorTable.LN,
          SqlStdOperatorTable.LOG10,
          SqlStdOperatorTable.LOWER,
          SqlStdOperatorTable.MINUTE,
          SqlStdOperatorTable.MOD,
          SqlStdOperatorTable.MONTH,
          SqlStdOperatorTable.NULLIF,
          SqlStdOperatorTable.OCTET_LENGTH,
          SqlStdOperatorTable.OVERLAY,
          SqlStdOperatorTable.POSITION,
          SqlStdOperatorTable.POWER,
          SqlStdOperatorTable.QUARTER,
          SqlStdOperatorTable.RADIANS,
          SqlStdOperatorTable.REPLACE,
          SqlStdOperatorTable.ROUND,
          SqlStdOperatorTable.SECOND,
          SqlStdOperatorTable.SIGN,
          SqlStdOperatorTable.SIN,
          SqlStdOperatorTable.SQRT,
          SqlStdOperatorTable.SUBSTRING,
          SqlStdOperatorTable.TAN,
          SqlStdOperatorTable.TIMESTAMP_ADD,
          SqlStdOperatorTable.TIMESTAMP_DIFF,
          SqlStdOperatorTable.TRIM,
          SqlStdOperatorTable.TRUNCATE,
          SqlStdOperatorTable.UPPER,
          SqlStdOperatorTable.WEEK,
          SqlStdOperatorTable.YEAR);

  private StandardOperators() {}

  static List<SqlOperator> all() {
    Set<SqlOperator> mapped = new HashSet<>(AggregateMapping.AGGREGATES.keySet());
    mapped.addAll(AggregateMapping.WINDOWS.keySet());
    mapped.addAll(FUNCTIONS);
    List<SqlOperator> result = new ArrayList<>();
    for (SqlOperator operator : SqlStdOperatorTable.instance().getOperatorList()) {
      boolean isFunction = operator instanceof SqlFunction;
      boolean replaced =
          operator.equals(SqlStdOperatorTable.PLUS) || operator.equals(SqlStdOperatorTable.MINUS);
      if (!replaced && (!isFunction || mapped.contains(operator))) {
        result.add(operator);
      }
    }
    result.add(DateArithmetic.PLUS);
    result.add(DateArithmetic.MINUS);
    result.add(SqlLibraryOperators.ILIKE);
    result.add(SqlLibraryOperators.NOT_ILIKE);
    result.add(SqlLibraryOperators.RLIKE);
    result.add(SqlLibraryOperators.NOT_RLIKE);
    result.add(SqlLibraryOperators.INFIX_CAST);
    result.add(SqlLibraryOperators.SAFE_CAST);
    result.add(SqlLibraryOperators.TRY_CAST);
    return result;
  }
}
