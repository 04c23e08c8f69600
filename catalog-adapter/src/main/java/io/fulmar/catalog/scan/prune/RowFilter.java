package io.fulmar.catalog.scan.prune;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.iceberg.Schema;
import org.apache.iceberg.expressions.Expression;

/**
 * A filter over rows, bound to the snapshot's schema by field id. It accepts at least the rows of
 * the expression it was made of. Safe for use by several threads.
 */
public final class RowFilter {
  /** Accepts all rows. */
  public static final RowFilter TRUE = new RowFilter(new FilterTree.Constant(true));

  private final FilterTree tree;
  private final List<ColumnPredicate> predicates;

  private RowFilter(FilterTree tree) {
    this.tree = tree;
    List<ColumnPredicate> found = new ArrayList<>();
    collect(tree, found);
    this.predicates = List.copyOf(found);
  }

  /**
   * @param filter by name, unbound
   * @param schema of the snapshot
   */
  public static RowFilter of(Expression filter, Schema schema) {
    return new RowFilter(new FilterBinder(schema).bind(filter));
  }

  /** Whether nothing can be skipped by statistics or partitions. */
  public boolean acceptsAll() {
    return tree.mayMatch(predicate -> false);
  }

  /** The fields that predicates are about. */
  public Set<Integer> fieldIds() {
    return predicates.stream().map(ColumnPredicate::fieldId).collect(Collectors.toSet());
  }

  List<ColumnPredicate> predicates() {
    return predicates;
  }

  boolean mayMatch(Predicate<ColumnPredicate> leaf) {
    return tree.mayMatch(leaf);
  }

  private static void collect(FilterTree node, List<ColumnPredicate> found) {
    if (node instanceof FilterTree.All all) {
      all.parts().forEach(part -> collect(part, found));
    } else if (node instanceof FilterTree.Any any) {
      any.parts().forEach(part -> collect(part, found));
    } else if (node instanceof FilterTree.Leaf leaf) {
      found.add(leaf.predicate());
    }
  }
}
