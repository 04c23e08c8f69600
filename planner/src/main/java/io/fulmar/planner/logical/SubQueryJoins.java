package io.fulmar.planner.logical;

import com.google.common.collect.ImmutableSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * [NOT] EXISTS and [NOT] IN that stand alone in a WHERE and correlate by plain conditions become
 * semi-joins and anti-joins at once: general decorrelation would compute the outer query again for
 * each of them. What does not fit stays as it is.
 */
final class SubQueryJoins extends RelHomogeneousShuttle {
  private SubQueryJoins() {}

  static RelNode rewrite(RelNode root) {
    return root.accept(new SubQueryJoins());
  }

  @Override
  public RelNode visit(RelNode other) {
    RelNode visited = super.visit(other);
    if (!(visited instanceof Filter filter) || filter.getVariablesSet().size() > 1) {
      return visited;
    }
    RelNode input = filter.getInput();
    List<RexNode> rest = new ArrayList<>();
    for (RexNode conjunct : RelOptUtil.conjunctions(filter.getCondition())) {
      Optional<RelNode> joined = join(input, conjunct, filter.getVariablesSet());
      if (joined.isPresent()) {
        input = joined.get();
      } else {
        rest.add(conjunct);
      }
    }
    if (input.equals(filter.getInput())) {
      return visited;
    }
    RexBuilder builder = filter.getCluster().getRexBuilder();
    return rest.isEmpty()
        ? input
        : LogicalFilter.create(
            input,
            RexUtil.composeConjunction(builder, rest),
            ImmutableSet.copyOf(filter.getVariablesSet()));
  }

  private static Optional<RelNode> join(
      RelNode input, RexNode conjunct, Set<CorrelationId> correlation) {
    boolean negated = conjunct.getKind() == SqlKind.NOT;
    RexNode bare = negated ? ((RexCall) conjunct).operands.get(0) : conjunct;
    if (!(bare instanceof RexSubQuery query)
        || !(query.getKind() == SqlKind.EXISTS || query.getKind() == SqlKind.IN)
        || (negated && query.getKind() == SqlKind.IN && mayBeNull(query))
        || query.operands.stream().anyMatch(SubQueryJoins::hasSubQuery)) {
      return Optional.empty();
    }
    return LiftedQuery.of(query.rel, correlation)
        .map(lifted -> join(input, query, lifted, negated));
  }

  private static boolean mayBeNull(RexSubQuery query) {
    return query.operands.stream().anyMatch(operand -> operand.getType().isNullable())
        || query.rel.getRowType().getFieldList().stream()
            .anyMatch(field -> field.getType().isNullable());
  }

  private static boolean hasSubQuery(RexNode node) {
    return RexUtil.SubQueryFinder.find(node) != null;
  }

  private static RelNode join(
      RelNode input, RexSubQuery query, LiftedQuery lifted, boolean negated) {
    RexBuilder builder = input.getCluster().getRexBuilder();
    int width = input.getRowType().getFieldCount();
    RelNode right = rewrite(lifted.core());
    List<RexNode> conditions = new ArrayList<>();
    for (int i = 0; i < query.operands.size(); i++) {
      conditions.add(
          builder.makeCall(
              SqlStdOperatorTable.EQUALS,
              query.operands.get(i),
              new RexInputRef(width + i, right.getRowType().getFieldList().get(i).getType())));
    }
    RexShuttle toJoin = new LiftedQuery.ToJoin(input, width);
    lifted.conditions().forEach(condition -> conditions.add(toJoin.apply(condition)));
    return LogicalJoin.create(
        input,
        right,
        List.of(),
        RexUtil.composeConjunction(builder, conditions),
        Set.of(),
        negated ? JoinRelType.ANTI : JoinRelType.SEMI);
  }
}
