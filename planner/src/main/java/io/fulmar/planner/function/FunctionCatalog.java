package io.fulmar.planner.function;

import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.Multimaps;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.SqlSyntax;
import org.apache.calcite.sql.validate.SqlNameMatcher;

/** All operators, found by name in any case. */
final class FunctionCatalog implements SqlOperatorTable {
  static final FunctionCatalog INSTANCE = new FunctionCatalog();

  private final List<SqlOperator> operators;
  private final ImmutableListMultimap<String, SqlOperator> byName;

  private FunctionCatalog() {
    List<SqlOperator> all = new ArrayList<>(StandardOperators.all());
    all.addAll(ScalarFunctions.all());
    all.addAll(AggregateFunctions.all());
    this.operators = List.copyOf(all);
    this.byName = Multimaps.index(operators, operator -> upper(operator.getName()));
  }

  @Override
  public void lookupOperatorOverloads(
      SqlIdentifier name,
      SqlFunctionCategory category,
      SqlSyntax syntax,
      List<SqlOperator> found,
      SqlNameMatcher matcher) {
    if (!name.isSimple()) {
      return;
    }
    for (SqlOperator operator : byName.get(upper(name.getSimple()))) {
      if (fits(operator, category, syntax)) {
        found.add(operator);
      }
    }
  }

  private static boolean fits(
      SqlOperator operator, SqlFunctionCategory category, SqlSyntax syntax) {
    if (operator.getSyntax() == syntax) {
      return true;
    }
    boolean tableFunction = category != null && category.isTableFunction();
    return syntax == SqlSyntax.FUNCTION && operator instanceof SqlFunction && !tableFunction;
  }

  private static String upper(String name) {
    return name.toUpperCase(Locale.ROOT);
  }

  @Override
  public List<SqlOperator> getOperatorList() {
    return operators;
  }

  /** Names of the functions that calls can name, for "did you mean". */
  Set<String> functionNames() {
    Set<String> names = new TreeSet<>(Comparator.naturalOrder());
    for (SqlOperator operator : operators) {
      if (operator instanceof SqlFunction) {
        names.add(operator.getName());
      }
    }
    return names;
  }
}
