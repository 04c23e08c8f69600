package io.fulmar.reference.compute;

import io.fulmar.reference.read.RowBudget;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Enumerator;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;

/** Joins: the right side in a hash table on the columns that must be equal, then the condition. */
final class Joins {
  private final Join join;
  private final RowBudget budget;
  private final int leftWidth;
  private final int rightWidth;
  private final List<Integer> leftKeys = new ArrayList<>();
  private final List<Integer> rightKeys = new ArrayList<>();
  private final Scalar condition;

  Joins(Join join, RowBudget budget) {
    this.join = join;
    this.budget = budget;
    this.leftWidth = join.getLeft().getRowType().getFieldCount();
    this.rightWidth = join.getRight().getRowType().getFieldCount();
    this.condition = RexCompiler.compile(join.getCondition());
    for (RexNode conjunct : RelOptUtil.conjunctions(join.getCondition())) {
      addKey(conjunct);
    }
    if (!supported(join.getJoinType())) {
      throw Unsupported.of("joins of kind " + join.getJoinType());
    }
  }

  private static boolean supported(JoinRelType type) {
    return switch (type) {
      case INNER, LEFT, RIGHT, FULL, SEMI, ANTI -> true;
      default -> false;
    };
  }

  private void addKey(RexNode conjunct) {
    if (conjunct.getKind() == SqlKind.EQUALS
        && conjunct instanceof RexCall call
        && call.operands.get(0) instanceof RexInputRef first
        && call.operands.get(1) instanceof RexInputRef second) {
      int low = Math.min(first.getIndex(), second.getIndex());
      int high = Math.max(first.getIndex(), second.getIndex());
      if (low < leftWidth && high >= leftWidth) {
        leftKeys.add(low);
        rightKeys.add(high - leftWidth);
      }
    }
  }

  Enumerable<Object[]> of(Enumerable<Object[]> left, Enumerable<Object[]> right) {
    return new AbstractEnumerable<>() {
      @Override
      public Enumerator<Object[]> enumerator() {
        return joined(left, right).enumerator();
      }
    };
  }

  private Enumerable<Object[]> joined(Enumerable<Object[]> left, Enumerable<Object[]> right) {
    Map<List<Object>, List<Candidate>> table = new HashMap<>();
    List<Candidate> all = new ArrayList<>();
    try (Enumerator<Object[]> rows = right.enumerator()) {
      while (rows.moveNext()) {
        budget.hold(1);
        Candidate candidate = new Candidate(rows.current());
        all.add(candidate);
        table
            .computeIfAbsent(key(candidate.row, rightKeys), key -> new ArrayList<>())
            .add(candidate);
      }
    }
    Enumerable<Object[]> probed =
        left.selectMany(
            row ->
                Linq4j.asEnumerable(probe(row, table.getOrDefault(key(row, leftKeys), List.of()))));
    return join.getJoinType().generatesNullsOnLeft()
        ? probed.concat(Linq4j.asEnumerable(() -> unmatched(all).iterator()))
        : probed;
  }

  private List<Object[]> unmatched(List<Candidate> all) {
    return all.stream()
        .filter(candidate -> !candidate.matched)
        .map(candidate -> combined(new Object[leftWidth], candidate.row))
        .toList();
  }

  private List<Object[]> probe(Object[] row, List<Candidate> candidates) {
    List<Object[]> results = new ArrayList<>();
    boolean found = false;
    JoinRelType type = join.getJoinType();
    for (Candidate candidate : candidates) {
      Object[] combined = combined(row, candidate.row);
      if (condition.holds(combined)) {
        found = true;
        candidate.matched = true;
        if (type.projectsRight()) {
          results.add(combined);
        }
      }
    }
    if (type == JoinRelType.SEMI && found || type == JoinRelType.ANTI && !found) {
      results.add(row);
    } else if (type.generatesNullsOnRight() && !found) {
      results.add(combined(row, new Object[rightWidth]));
    }
    return results;
  }

  private Object[] combined(Object[] left, Object[] right) {
    Object[] row = new Object[leftWidth + rightWidth];
    System.arraycopy(left, 0, row, 0, leftWidth);
    System.arraycopy(right, 0, row, leftWidth, rightWidth);
    return row;
  }

  private static List<Object> key(Object[] row, List<Integer> columns) {
    List<Object> key = new ArrayList<>(columns.size());
    columns.forEach(column -> key.add(Values.key(row[column])));
    return key;
  }

  private static final class Candidate {
    private final Object[] row;
    private boolean matched;

    Candidate(Object[] row) {
      this.row = row;
    }
  }
}
