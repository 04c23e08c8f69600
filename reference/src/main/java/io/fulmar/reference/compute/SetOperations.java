package io.fulmar.reference.compute;

import io.fulmar.reference.read.RowBudget;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Enumerator;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.sql.SqlKind;

/** UNION, INTERSECT and EXCEPT, of rows or of multisets. */
final class SetOperations {
  private final SetOp operation;
  private final RowBudget budget;

  SetOperations(SetOp operation, RowBudget budget) {
    this.operation = operation;
    this.budget = budget;
  }

  Enumerable<Object[]> of(List<Enumerable<Object[]>> inputs) {
    return new AbstractEnumerable<>() {
      @Override
      public Enumerator<Object[]> enumerator() {
        Enumerable<Object[]> result = inputs.get(0);
        for (Enumerable<Object[]> next : inputs.subList(1, inputs.size())) {
          result =
              operation.kind == SqlKind.UNION
                  ? result.concat(next)
                  : Linq4j.asEnumerable(matched(result, next));
        }
        return (operation.all ? result : Linq4j.asEnumerable(deduplicated(result))).enumerator();
      }
    };
  }

  private List<Object[]> deduplicated(Enumerable<Object[]> rows) {
    Set<List<Object>> seen = new HashSet<>();
    List<Object[]> kept = new ArrayList<>();
    try (Enumerator<Object[]> source = rows.enumerator()) {
      while (source.moveNext()) {
        if (seen.add(key(source.current()))) {
          budget.hold(1);
          kept.add(source.current());
        }
      }
    }
    return kept;
  }

  /**
   * Rows of the left that have (INTERSECT) or lack (EXCEPT) a partner of their own on the right.
   */
  private List<Object[]> matched(Enumerable<Object[]> left, Enumerable<Object[]> right) {
    Map<List<Object>, Long> counts = new HashMap<>();
    try (Enumerator<Object[]> source = right.enumerator()) {
      while (source.moveNext()) {
        budget.hold(1);
        counts.merge(key(source.current()), 1L, Long::sum);
      }
    }
    boolean intersect = operation.kind == SqlKind.INTERSECT;
    List<Object[]> kept = new ArrayList<>();
    try (Enumerator<Object[]> source = left.enumerator()) {
      while (source.moveNext()) {
        List<Object> key = key(source.current());
        boolean partner = counts.getOrDefault(key, 0L) > 0;
        if (partner && operation.all) {
          counts.merge(key, -1L, Long::sum);
        }
        if (partner == intersect) {
          budget.hold(1);
          kept.add(source.current());
        }
      }
    }
    return kept;
  }

  private static List<Object> key(Object[] row) {
    return Values.keys(Arrays.asList(row));
  }
}
