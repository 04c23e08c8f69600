package io.fulmar.catalog.scan.prune;

import java.util.List;
import java.util.function.Predicate;

/** A filter of ANDs and ORs over predicates on columns. */
sealed interface FilterTree {
  /** Accepts all rows, or none. */
  record Constant(boolean accepts) implements FilterTree {}

  /** A predicate on a column. */
  record Leaf(ColumnPredicate predicate) implements FilterTree {}

  /** All must hold. */
  record All(List<FilterTree> parts) implements FilterTree {}

  /** One must hold. */
  record Any(List<FilterTree> parts) implements FilterTree {}

  /** Whether the filter can hold, given which predicates can. */
  default boolean mayMatch(Predicate<ColumnPredicate> leaf) {
    if (this instanceof All all) {
      for (FilterTree part : all.parts) {
        if (!part.mayMatch(leaf)) {
          return false;
        }
      }
      return true;
    }

    if (this instanceof Any any) {
      for (FilterTree part : any.parts) {
        if (part.mayMatch(leaf)) {
          return true;
        }
      }
      return false;
    }

    return this instanceof Leaf predicate
        ? leaf.test(predicate.predicate)
        : ((Constant) this).accepts;
  }
}
