package io.fulmar.planner.function;

import io.fulmar.engine.plan.AggregateFunction;
import io.fulmar.engine.plan.ScalarFunction;
import io.fulmar.engine.plan.WindowFunction;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorTable;

/**
 * The functions of the language: what the validator knows, and the plan language's function for
 * each operator of the relational tree.
 */
public final class Functions {
  private Functions() {}

  /** All operators and functions of the language. */
  public static SqlOperatorTable operatorTable() {
    return FunctionCatalog.INSTANCE;
  }

  /** Names of the functions that a call can name. */
  public static Set<String> names() {
    return FunctionCatalog.INSTANCE.functionNames();
  }

  /**
   * The plan language's function for an operator, whose operands it takes in order. Empty for what
   * has an expression form of its own (CAST, CASE, SEARCH, field access, …) and for what cannot be
   * executed.
   */
  public static Optional<ScalarFunction> scalar(SqlOperator operator) {
    return Optional.ofNullable(ScalarMapping.BY_OPERATOR.get(operator));
  }

  /** The plan language's function for an aggregate, also in a window. */
  public static Optional<AggregateFunction> aggregate(SqlAggFunction function) {
    return Optional.ofNullable(AggregateMapping.AGGREGATES.get(function));
  }

  /** The plan language's function for what only windows can compute. */
  public static Optional<WindowFunction> window(SqlAggFunction function) {
    return Optional.ofNullable(AggregateMapping.WINDOWS.get(function));
  }
}
