package io.fulmar.reference.compute;

import io.fulmar.reference.read.RowBudget;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Enumerator;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.util.ImmutableBitSet;

/** Grouping, with grouping sets. */
final class Aggregates {
  private final Aggregate aggregate;
  private final List<AggregateFunction> functions;
  private final RowBudget budget;

  Aggregates(Aggregate aggregate, RowBudget budget) {
    this.aggregate = aggregate;
    this.functions =
        aggregate.getAggCallList().stream()
            .map(call -> AggregateFunction.of(call, aggregate))
            .toList();
    this.budget = budget;
  }

  Enumerable<Object[]> of(Enumerable<Object[]> input) {
    return new AbstractEnumerable<>() {
      @Override
      public Enumerator<Object[]> enumerator() {
        return Linq4j.asEnumerable(grouped(input)).enumerator();
      }
    };
  }

  private List<Object[]> grouped(Enumerable<Object[]> input) {
    List<Map<List<Object>, Group>> sets = new ArrayList<>();
    for (ImmutableBitSet set : aggregate.getGroupSets()) {
      Map<List<Object>, Group> groups = new LinkedHashMap<>();
      if (set.isEmpty()) {
        groups.put(List.of(), new Group(set, new Object[0]));
      }
      sets.add(groups);
    }
    try (Enumerator<Object[]> rows = input.enumerator()) {
      while (rows.moveNext()) {
        add(rows.current(), sets);
      }
    }
    List<Object[]> results = new ArrayList<>();
    sets.forEach(groups -> groups.values().forEach(group -> results.add(group.result())));
    return results;
  }

  private void add(Object[] row, List<Map<List<Object>, Group>> sets) {
    for (int i = 0; i < sets.size(); i++) {
      ImmutableBitSet set = aggregate.getGroupSets().get(i);
      List<Object> key = new ArrayList<>();
      set.forEachInt(column -> key.add(Values.key(row[column])));
      sets.get(i)
          .computeIfAbsent(
              key,
              fresh -> {
                budget.hold(1);
                return new Group(set, row);
              })
          .add(row);
    }
  }

  private final class Group {
    private final ImmutableBitSet set;
    private final Object[] first;
    private final List<AggregateFunction.Accumulator> accumulators = new ArrayList<>();

    Group(ImmutableBitSet set, Object[] first) {
      this.set = set;
      this.first = first;
      functions.forEach(function -> accumulators.add(function.start(set, budget)));
    }

    void add(Object[] row) {
      accumulators.forEach(accumulator -> accumulator.add(row));
    }

    Object[] result() {
      List<Object> result = new ArrayList<>();
      for (int column : aggregate.getGroupSet()) {
        result.add(set.get(column) ? Values.grouped(first[column]) : null);
      }
      accumulators.forEach(accumulator -> result.add(accumulator.result()));
      return result.toArray();
    }
  }
}
