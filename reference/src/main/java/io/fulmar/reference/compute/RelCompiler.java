package io.fulmar.reference.compute;

import io.fulmar.planner.logical.Unnest;
import io.fulmar.reference.read.RowBudget;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rex.RexLiteral;

/** Turns a relational tree into rows that are computed as they are asked for. */
public final class RelCompiler {
  private final TableSource tables;
  private final RowBudget budget;

  /**
   * @param budget counts the rows that joins, groups and sorts hold
   */
  public RelCompiler(TableSource tables, RowBudget budget) {
    this.tables = tables;
    this.budget = budget;
  }

  /**
   * @throws io.fulmar.catalog.error.FulmarException UNSUPPORTED_SQL naming the operator
   */
  public Enumerable<Object[]> compile(RelNode node) {
    if (node instanceof TableScan scan) {
      return new ScanRows(() -> tables.open(scan));
    } else if (node instanceof Project project) {
      return project(project);
    } else if (node instanceof Filter filter) {
      Scalar condition = RexCompiler.compile(filter.getCondition());
      return compile(filter.getInput()).where(condition::holds);
    } else if (node instanceof Join join) {
      Joins joins = new Joins(join, budget);
      return joins.of(compile(join.getLeft()), compile(join.getRight()));
    } else if (node instanceof Aggregate aggregate) {
      return new Aggregates(aggregate, budget).of(compile(aggregate.getInput()));
    } else if (node instanceof Sort sort) {
      return new Sorts(sort, budget).of(compile(sort.getInput()));
    } else if (node instanceof SetOp operation) {
      return new SetOperations(operation, budget)
          .of(operation.getInputs().stream().map(this::compile).toList());
    } else if (node instanceof org.apache.calcite.rel.core.Values values) {
      return values(values);
    } else if (node instanceof Unnest unnest) {
      return unnest(unnest);
    }
    throw Unsupported.of("the operator " + node.getRelTypeName());
  }

  private Enumerable<Object[]> project(Project project) {
    List<Scalar> columns = project.getProjects().stream().map(RexCompiler::compile).toList();
    return compile(project.getInput())
        .select(
            row -> {
              Object[] values = new Object[columns.size()];
              for (int i = 0; i < values.length; i++) {
                values[i] = columns.get(i).eval(row);
              }
              return values;
            });
  }

  private static Enumerable<Object[]> values(org.apache.calcite.rel.core.Values values) {
    List<Object[]> rows = new ArrayList<>();
    for (List<RexLiteral> tuple : values.getTuples()) {
      Object[] row = new Object[tuple.size()];
      for (int i = 0; i < row.length; i++) {
        row[i] = Literals.value(tuple.get(i), values.getRowType().getFieldList().get(i).getType());
      }
      rows.add(row);
    }
    return Linq4j.asEnumerable(rows);
  }

  private Enumerable<Object[]> unnest(Unnest unnest) {
    Scalar collection = RexCompiler.compile(unnest.collection());
    boolean ordinality = unnest.ordinality() == Unnest.Ordinality.FROM_ONE;
    int fields = unnest.added().size() - (ordinality ? 1 : 0);
    boolean struct =
        unnest.collection().getType().getComponentType() != null
            && unnest.collection().getType().getComponentType().isStruct();
    boolean keep = unnest.emptyRows() == Unnest.EmptyRows.KEEP;
    return compile(unnest.getInput())
        .selectMany(
            row -> {
              List<Object[]> rows = new ArrayList<>();
              long number = 0;
              for (List<?> element : elements(collection.eval(row), struct, fields)) {
                rows.add(extended(row, element, ordinality, ++number));
              }
              if (rows.isEmpty() && keep) {
                Object[] padded = new Object[row.length + unnest.added().size()];
                System.arraycopy(row, 0, padded, 0, row.length);
                rows.add(padded);
              }
              return Linq4j.asEnumerable(rows);
            });
  }

  private static List<List<?>> elements(Object collection, boolean struct, int fields) {
    List<List<?>> elements = new ArrayList<>();
    if (collection instanceof Map<?, ?> map) {
      map.forEach((key, value) -> elements.add(java.util.Arrays.asList(key, value)));
    } else if (collection instanceof List<?> list) {
      for (Object element : list) {
        boolean whole = struct && element != null;
        elements.add(
            whole
                ? (List<?>) element
                : java.util.Collections.nCopies(fields, struct ? null : element));
      }
    }
    return elements;
  }

  private static Object[] extended(Object[] row, List<?> element, boolean ordinality, long number) {
    List<Object> values = new ArrayList<>(java.util.Arrays.asList(row));
    values.addAll(element);
    if (ordinality) {
      values.add(number);
    }
    return values.toArray();
  }
}
