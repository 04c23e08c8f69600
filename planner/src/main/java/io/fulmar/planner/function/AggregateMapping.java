package io.fulmar.planner.function;

import io.fulmar.engine.plan.AggregateFunction;
import io.fulmar.engine.plan.WindowFunction;
import java.util.HashMap;
import java.util.Map;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlInternalOperators;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/** The plan language's function for each aggregate and window function. */
final class AggregateMapping {
  static final Map<SqlOperator, AggregateFunction> AGGREGATES;
  static final Map<SqlOperator, WindowFunction> WINDOWS;

  static {
    Map<SqlOperator, AggregateFunction> aggregates = new HashMap<>(AggregateFunctions.mapping());
    addStandard(aggregates);
    addStatistics(aggregates);
    AGGREGATES = Map.copyOf(aggregates);

    Map<SqlOperator, WindowFunction> windows = new HashMap<>();
    windows.put(SqlStdOperatorTable.ROW_NUMBER, WindowFunction.ROW_NUMBER);
    windows.put(SqlStdOperatorTable.RANK, WindowFunction.RANK);
    windows.put(SqlStdOperatorTable.DENSE_RANK, WindowFunction.DENSE_RANK);
    windows.put(SqlStdOperatorTable.PERCENT_RANK, WindowFunction.PERCENT_RANK);
    windows.put(SqlStdOperatorTable.CUME_DIST, WindowFunction.CUME_DIST);
    windows.put(SqlStdOperatorTable.NTILE, WindowFunction.NTILE);
    windows.put(SqlStdOperatorTable.LAG, WindowFunction.LAG);
    windows.put(SqlStdOperatorTable.LEAD, WindowFunction.LEAD);
    windows.put(SqlStdOperatorTable.FIRST_VALUE, WindowFunction.FIRST_VALUE);
    windows.put(SqlStdOperatorTable.LAST_VALUE, WindowFunction.LAST_VALUE);
    windows.put(SqlStdOperatorTable.NTH_VALUE, WindowFunction.NTH_VALUE);
    WINDOWS = Map.copyOf(windows);
  }

  private AggregateMapping() {}

  private static void addStandard(Map<SqlOperator, AggregateFunction> aggregates) {
    aggregates.put(SqlStdOperatorTable.COUNT, AggregateFunction.COUNT);
    aggregates.put(SqlStdOperatorTable.SUM, AggregateFunction.SUM);
    aggregates.put(SqlStdOperatorTable.SUM0, AggregateFunction.SUM0);
    aggregates.put(SqlStdOperatorTable.MIN, AggregateFunction.MIN);
    aggregates.put(SqlStdOperatorTable.MAX, AggregateFunction.MAX);
    aggregates.put(SqlStdOperatorTable.AVG, AggregateFunction.AVG);
    aggregates.put(SqlStdOperatorTable.ANY_VALUE, AggregateFunction.ANY_VALUE);
    aggregates.put(SqlStdOperatorTable.SINGLE_VALUE, AggregateFunction.SINGLE_VALUE);
    aggregates.put(SqlStdOperatorTable.EVERY, AggregateFunction.BOOL_AND);
    aggregates.put(SqlStdOperatorTable.SOME, AggregateFunction.BOOL_OR);
    aggregates.put(SqlStdOperatorTable.BIT_AND, AggregateFunction.BIT_AND_AGG);
    aggregates.put(SqlStdOperatorTable.BIT_OR, AggregateFunction.BIT_OR_AGG);
    aggregates.put(SqlStdOperatorTable.BIT_XOR, AggregateFunction.BIT_XOR_AGG);
    aggregates.put(SqlStdOperatorTable.MODE, AggregateFunction.MODE);
    aggregates.put(
        SqlStdOperatorTable.APPROX_COUNT_DISTINCT, AggregateFunction.APPROX_COUNT_DISTINCT);
    aggregates.put(SqlStdOperatorTable.LISTAGG, AggregateFunction.STRING_AGG);
    aggregates.put(SqlStdOperatorTable.PERCENTILE_DISC, AggregateFunction.PERCENTILE_DISC);
    aggregates.put(SqlStdOperatorTable.GROUPING, AggregateFunction.GROUPING);
    aggregates.put(SqlStdOperatorTable.GROUPING_ID, AggregateFunction.GROUPING);
    aggregates.put(SqlInternalOperators.LITERAL_AGG, AggregateFunction.LITERAL_AGG);
  }

  private static void addStatistics(Map<SqlOperator, AggregateFunction> aggregates) {
    aggregates.put(SqlStdOperatorTable.COVAR_POP, AggregateFunction.COVAR_POP);
    aggregates.put(SqlStdOperatorTable.COVAR_SAMP, AggregateFunction.COVAR_SAMP);
    aggregates.put(SqlStdOperatorTable.REGR_COUNT, AggregateFunction.REGR_COUNT);
    aggregates.put(SqlStdOperatorTable.REGR_SXX, AggregateFunction.REGR_SXX);
    aggregates.put(SqlStdOperatorTable.REGR_SYY, AggregateFunction.REGR_SYY);
  }
}
