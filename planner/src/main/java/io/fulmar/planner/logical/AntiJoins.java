package io.fulmar.planner.logical;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;

/**
 * A left join whose rows are kept only where a column of the right side that is never NULL is NULL,
 * as NOT EXISTS becomes, is an anti-join; and what anti-joins and semi-joins look up need not be
 * made distinct.
 */
final class AntiJoins extends RelHomogeneousShuttle {
  private AntiJoins() {}

  static RelNode find(RelNode root) {
    return root.accept(new AntiJoins());
  }

  @Override
  public RelNode visit(RelNode other) {
    RelNode visited = super.visit(other);
    if (visited instanceof Filter filter
        && filter.getInput() instanceof Join join
        && join.getJoinType() == JoinRelType.LEFT) {
      return rewrite(filter, join);
    }
    if (visited instanceof Join join && !join.getJoinType().projectsRight()) {
      RelNode right = withoutGrouping(join.getRight());
      return right.equals(join.getRight())
          ? visited
          : join.copy(join.getTraitSet(), List.of(join.getLeft(), right));
    }
    return visited;
  }

  private static RelNode rewrite(Filter filter, Join join) {
    List<RexNode> rest = new ArrayList<>();
    boolean found = false;
    for (RexNode conjunct : RelOptUtil.conjunctions(filter.getCondition())) {
      boolean missing = nullTested(conjunct).map(column -> isNeverNull(join, column)).orElse(false);
      found |= missing;
      if (!missing) {
        rest.add(conjunct);
      }
    }
    if (!found) {
      return filter;
    }
    RelNode anti =
        LogicalJoin.create(
            join.getLeft(),
            withoutGrouping(join.getRight()),
            join.getHints(),
            join.getCondition(),
            Set.of(),
            JoinRelType.ANTI);
    RelNode padded = padded(anti, join);
    return rest.isEmpty()
        ? padded
        : LogicalFilter.create(
            padded, RexUtil.composeConjunction(join.getCluster().getRexBuilder(), rest));
  }

  /** The column of {@code x IS NULL} or {@code NOT (x IS NOT NULL)}. */
  private static Optional<Integer> nullTested(RexNode node) {
    RexNode tested = node;
    SqlKind wanted = SqlKind.IS_NULL;
    if (node.getKind() == SqlKind.NOT) {
      tested = ((RexCall) node).operands.get(0);
      wanted = SqlKind.IS_NOT_NULL;
    }
    return tested.getKind() == wanted
            && ((RexCall) tested).operands.get(0) instanceof RexInputRef reference
        ? Optional.of(reference.getIndex())
        : Optional.empty();
  }

  private static boolean isNeverNull(Join join, int column) {
    int right = column - join.getLeft().getRowType().getFieldCount();
    return right >= 0
        && !join.getRight().getRowType().getFieldList().get(right).getType().isNullable();
  }

  /** Duplicates on the right side of a semi-join or anti-join change nothing. */
  private static RelNode withoutGrouping(RelNode right) {
    boolean distinct =
        right instanceof Aggregate aggregate
            && aggregate.getAggCallList().isEmpty()
            && aggregate.getGroupType() == Aggregate.Group.SIMPLE
            && !aggregate.getGroupSet().isEmpty();
    if (!distinct) {
      return right;
    }
    RexBuilder builder = right.getCluster().getRexBuilder();
    List<RexNode> keys = new ArrayList<>();
    for (int key : ((Aggregate) right).getGroupSet()) {
      keys.add(builder.makeInputRef(right.getInput(0), key));
    }
    return LogicalProject.create(
        right.getInput(0), List.of(), keys, right.getRowType().getFieldNames(), Set.of());
  }

  /** The join's columns again: NULL for those of the right side. */
  private static RelNode padded(RelNode anti, Join join) {
    RexBuilder builder = join.getCluster().getRexBuilder();
    int width = join.getLeft().getRowType().getFieldCount();
    List<RexNode> columns = new ArrayList<>();
    for (RelDataTypeField field : join.getRowType().getFieldList()) {
      columns.add(
          field.getIndex() < width
              ? builder.makeInputRef(anti, field.getIndex())
              : builder.makeNullLiteral(field.getType()));
    }
    return LogicalProject.create(
        anti, List.of(), columns, join.getRowType().getFieldNames(), Set.of());
  }
}
