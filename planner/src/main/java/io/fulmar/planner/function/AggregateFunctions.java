package io.fulmar.planner.function;

import static org.apache.calcite.sql.type.OperandTypes.family;

import io.fulmar.engine.plan.AggregateFunction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlBasicAggFunction;
import org.apache.calcite.sql.fun.SqlLibraryOperators;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlOperandTypeChecker;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeTransforms;
import org.apache.calcite.util.Optionality;

/** Aggregates beside Calcite's standard ones. */
final class AggregateFunctions {
  private static final List<SqlOperator> ALL = new ArrayList<>();
  private static final Map<SqlOperator, AggregateFunction> MAPPING = new HashMap<>();

  private static final SqlTypeFamily NUMBER = SqlTypeFamily.NUMERIC;
  private static final SqlReturnTypeInference DOUBLE_OUT =
      ReturnTypes.DOUBLE.andThen(SqlTypeTransforms.FORCE_NULLABLE);
  private static final SqlReturnTypeInference FIRST_ARGUMENT =
      ReturnTypes.ARG0.andThen(SqlTypeTransforms.FORCE_NULLABLE);

  private AggregateFunctions() {}

  static List<SqlOperator> all() {
    return List.copyOf(ALL);
  }

  static Map<SqlOperator, AggregateFunction> mapping() {
    return Map.copyOf(MAPPING);
  }

  static {
    SqlOperandTypeChecker one = family(NUMBER);
    define(AggregateFunction.STDDEV_SAMP, DOUBLE_OUT, one, "STDDEV", "STDDEV_SAMP");
    define(AggregateFunction.STDDEV_POP, DOUBLE_OUT, one, "STDDEV_POP");
    define(AggregateFunction.VAR_SAMP, DOUBLE_OUT, one, "VARIANCE", "VAR_SAMP");
    define(AggregateFunction.VAR_POP, DOUBLE_OUT, one, "VAR_POP");
    keep(
        AggregateFunction.PERCENTILE_CONT,
        SqlBasicAggFunction.create("PERCENTILE_CONT", SqlKind.OTHER_FUNCTION, DOUBLE_OUT, one)
            .withGroupOrder(Optionality.MANDATORY)
            .withPercentile(true));
    SqlOperandTypeChecker two = family(NUMBER, NUMBER);
    define(AggregateFunction.CORR, DOUBLE_OUT, two, "CORR");
    define(AggregateFunction.REGR_SLOPE, DOUBLE_OUT, two, "REGR_SLOPE");
    define(AggregateFunction.REGR_INTERCEPT, DOUBLE_OUT, two, "REGR_INTERCEPT");
    define(AggregateFunction.REGR_R2, DOUBLE_OUT, two, "REGR_R2");
    define(AggregateFunction.REGR_AVGX, DOUBLE_OUT, two, "REGR_AVGX");
    define(AggregateFunction.REGR_AVGY, DOUBLE_OUT, two, "REGR_AVGY");
    define(AggregateFunction.REGR_SXY, DOUBLE_OUT, two, "REGR_SXY");
    define(AggregateFunction.MEDIAN, DOUBLE_OUT, one, "MEDIAN");
    define(AggregateFunction.APPROX_PERCENTILE, DOUBLE_OUT, two, "APPROX_PERCENTILE");
    SqlOperandTypeChecker valueAndKey =
        OperandTypes.and(OperandTypes.ANY_ANY, OperandTypes.ANY_ANY);
    define(AggregateFunction.MIN_BY, FIRST_ARGUMENT, valueAndKey, "MIN_BY", "ARG_MIN");
    define(AggregateFunction.MAX_BY, FIRST_ARGUMENT, valueAndKey, "MAX_BY", "ARG_MAX");
    SqlReturnTypeInference bool =
        ReturnTypes.explicit(SqlTypeName.BOOLEAN).andThen(SqlTypeTransforms.FORCE_NULLABLE);
    define(AggregateFunction.BOOL_AND, bool, OperandTypes.BOOLEAN, "BOOL_AND", "LOGICAL_AND");
    define(AggregateFunction.BOOL_OR, bool, OperandTypes.BOOLEAN, "BOOL_OR", "LOGICAL_OR");
    keep(AggregateFunction.ARRAY_AGG, SqlLibraryOperators.ARRAY_AGG);
    keep(AggregateFunction.STRING_AGG, SqlLibraryOperators.STRING_AGG);
  }

  private static void define(
      AggregateFunction function,
      SqlReturnTypeInference result,
      SqlOperandTypeChecker operands,
      String... names) {
    for (String name : names) {
      keep(
          function,
          SqlBasicAggFunction.create(name, SqlKind.OTHER_FUNCTION, result, operands)
              .withGroupOrder(Optionality.FORBIDDEN));
    }
  }

  private static void keep(AggregateFunction function, SqlAggFunction operator) {
    ALL.add(operator);
    MAPPING.put(operator, function);
  }
}
