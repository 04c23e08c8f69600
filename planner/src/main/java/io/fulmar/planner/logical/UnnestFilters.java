package io.fulmar.planner.logical;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;

/** Moves the conjuncts of a filter that need no element below the {@link Unnest}. */
final class UnnestFilters extends RelHomogeneousShuttle {
  private UnnestFilters() {}

  static RelNode push(RelNode root) {
    return root.accept(new UnnestFilters());
  }

  @Override
  public RelNode visit(RelNode other) {
    RelNode visited = super.visit(other);
    if (!(visited instanceof Filter filter) || !(filter.getInput() instanceof Unnest unnest)) {
      return visited;
    }
    int width = unnest.getInput().getRowType().getFieldCount();
    List<RexNode> below = new ArrayList<>();
    List<RexNode> above = new ArrayList<>();
    for (RexNode conjunct : RelOptUtil.conjunctions(filter.getCondition())) {
      boolean inputOnly =
          RelOptUtil.InputFinder.bits(conjunct).length() <= width
              && RexUtil.isDeterministic(conjunct);
      (inputOnly ? below : above).add(conjunct);
    }
    if (below.isEmpty()) {
      return visited;
    }
    RexBuilder builder = filter.getCluster().getRexBuilder();
    RelNode filtered =
        LogicalFilter.create(unnest.getInput(), RexUtil.composeConjunction(builder, below));
    RelNode moved = unnest.with(filtered.accept(this), unnest.collection());
    return above.isEmpty()
        ? moved
        : LogicalFilter.create(moved, RexUtil.composeConjunction(builder, above));
  }
}
