package io.fulmar.planner.logical;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.logical.LogicalCorrelate;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.sql.SqlKind;

/**
 * {@code LATERAL (SELECT max(…) …)} gives one row for each row on its left, also where nothing
 * matches. Decorrelation of an inner correlation would lose those rows, so it becomes a left one;
 * only for aggregates that are NULL over no rows, since a count is 0.
 */
final class OneRowCorrelates extends RelHomogeneousShuttle {
  private static final Set<SqlKind> NULL_OVER_NO_ROWS =
      EnumSet.of(
          SqlKind.MAX,
          SqlKind.MIN,
          SqlKind.SUM,
          SqlKind.AVG,
          SqlKind.ANY_VALUE,
          SqlKind.STDDEV_POP,
          SqlKind.STDDEV_SAMP,
          SqlKind.VAR_POP,
          SqlKind.VAR_SAMP);

  private OneRowCorrelates() {}

  static RelNode rewrite(RelNode root) {
    return root.accept(new OneRowCorrelates());
  }

  @Override
  public RelNode visit(RelNode other) {
    RelNode visited = super.visit(other);
    if (visited instanceof Correlate correlate
        && correlate.getJoinType() == JoinRelType.INNER
        && isNullRowOverNothing(correlate.getRight())) {
      RelNode left =
          LogicalCorrelate.create(
              correlate.getLeft(),
              correlate.getRight(),
              List.of(),
              correlate.getCorrelationId(),
              correlate.getRequiredColumns(),
              JoinRelType.LEFT);
      return RelOptUtil.createCastRel(left, correlate.getRowType(), false);
    }
    return visited;
  }

  private static boolean isNullRowOverNothing(RelNode relation) {
    RelNode stripped = relation.stripped();
    if (stripped instanceof Project project) {
      return project.getProjects().stream().allMatch(RexInputRef.class::isInstance)
          && isNullRowOverNothing(project.getInput());
    }
    return stripped instanceof Aggregate aggregate
        && aggregate.getGroupCount() == 0
        && aggregate.getAggCallList().stream()
            .map(AggregateCall::getAggregation)
            .allMatch(function -> NULL_OVER_NO_ROWS.contains(function.getKind()));
  }
}
