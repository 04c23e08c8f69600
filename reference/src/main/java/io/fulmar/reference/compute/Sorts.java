package io.fulmar.reference.compute;

import io.fulmar.reference.read.RowBudget;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Enumerator;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;

/** ORDER BY, OFFSET and LIMIT. */
final class Sorts {
  private final Sort sort;
  private final RowBudget budget;

  Sorts(Sort sort, RowBudget budget) {
    this.sort = sort;
    this.budget = budget;
    for (RelFieldCollation key : sort.getCollation().getFieldCollations()) {
      RelDataType type = sort.getRowType().getFieldList().get(key.getFieldIndex()).getType();
      if (type.isStruct() || type.getComponentType() != null || type.getKeyType() != null) {
        throw Unsupported.of("ORDER BY of " + type);
      }
    }
    count(sort.offset);
    count(sort.fetch);
  }

  Enumerable<Object[]> of(Enumerable<Object[]> input) {
    Enumerable<Object[]> ordered =
        sort.getCollation().getFieldCollations().isEmpty() ? input : sorted(input);
    Enumerable<Object[]> skipped = sort.offset == null ? ordered : ordered.skip(count(sort.offset));
    return sort.fetch == null ? skipped : skipped.take(count(sort.fetch));
  }

  private static int count(RexNode limit) {
    if (limit == null) {
      return 0;
    }
    if (!(limit instanceof RexLiteral literal)) {
      throw Unsupported.of("a computed LIMIT");
    }
    BigDecimal count = literal.getValueAs(BigDecimal.class);
    return count.min(BigDecimal.valueOf(Integer.MAX_VALUE)).intValue();
  }

  private Enumerable<Object[]> sorted(Enumerable<Object[]> input) {
    return new AbstractEnumerable<>() {
      @Override
      public Enumerator<Object[]> enumerator() {
        List<Object[]> rows = new ArrayList<>();
        try (Enumerator<Object[]> source = input.enumerator()) {
          while (source.moveNext()) {
            budget.hold(1);
            rows.add(source.current());
          }
        }
        rows.sort(order());
        return Linq4j.enumerator(rows);
      }
    };
  }

  private Comparator<Object[]> order() {
    return sort.getCollation().getFieldCollations().stream()
        .map(key -> Comparator.comparing((Object[] row) -> row[key.getFieldIndex()], column(key)))
        .reduce(Comparator::thenComparing)
        .orElseThrow();
  }

  private static Comparator<Object> column(RelFieldCollation key) {
    Comparator<Object> values =
        key.getDirection().isDescending()
            ? (left, right) -> Values.compare(right, left)
            : Values::compare;
    RelFieldCollation.NullDirection nulls =
        key.nullDirection == RelFieldCollation.NullDirection.UNSPECIFIED
            ? key.getDirection().defaultNullDirection()
            : key.nullDirection;
    return nulls == RelFieldCollation.NullDirection.FIRST
        ? Comparator.nullsFirst(values)
        : Comparator.nullsLast(values);
  }
}
