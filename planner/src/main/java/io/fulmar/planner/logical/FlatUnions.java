package io.fulmar.planner.logical;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Union;

/** Makes one union of unions of unions: the parser nests each branch one level deeper. */
final class FlatUnions extends RelHomogeneousShuttle {
  private FlatUnions() {}

  static RelNode flatten(RelNode root) {
    return root.accept(new FlatUnions());
  }

  @Override
  public RelNode visit(RelNode other) {
    if (!(other instanceof Union union)) {
      return super.visit(other);
    }
    List<RelNode> branches = new ArrayList<>();
    collect(union, union.all, branches);
    branches.replaceAll(branch -> branch.accept(this));
    return union.copy(union.getTraitSet(), branches, union.all);
  }

  /** Below a distinct union duplicates may stay or go; below UNION ALL only UNION ALL is flat. */
  private static void collect(Union union, boolean all, List<RelNode> branches) {
    for (RelNode input : union.getInputs()) {
      if (input instanceof Union nested && (nested.all || !all)) {
        collect(nested, all, branches);
      } else {
        branches.add(input);
      }
    }
  }
}
