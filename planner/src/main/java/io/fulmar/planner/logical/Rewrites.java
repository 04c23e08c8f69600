package io.fulmar.planner.logical;

import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;

/** Applies one rewrite of expressions to every operator of a tree, bottom up. */
public final class Rewrites {
  private static final Set<SqlKind> JUNCTIONS = Set.of(SqlKind.AND, SqlKind.OR, SqlKind.NOT);

  private Rewrites() {}

  /** Applies {@code shuttle} to the expressions of {@code root} and of everything below it. */
  public static RelNode expressions(RelNode root, RexShuttle shuttle) {
    return root.accept(
        new RelHomogeneousShuttle() {
          @Override
          public RelNode visit(RelNode other) {
            return rewrite(super.visit(other), shuttle);
          }
        });
  }

  private static RelNode rewrite(RelNode node, RexShuttle shuttle) {
    if (node instanceof Filter filter) {
      return filter.copy(
          filter.getTraitSet(), filter.getInput(), condition(node, filter.getCondition(), shuttle));
    } else if (node instanceof Join join) {
      return join.copy(
          join.getTraitSet(),
          condition(node, join.getCondition(), shuttle),
          join.getLeft(),
          join.getRight(),
          join.getJoinType(),
          join.isSemiJoinDone());
    }
    return node.accept(shuttle);
  }

  private static RexNode condition(RelNode node, RexNode condition, RexShuttle shuttle) {
    return withoutNullabilityCasts(node.getCluster().getRexBuilder(), shuttle.apply(condition));
  }

  /** Whether a condition may be NULL counts for nothing, and Calcite refuses casts that say so. */
  private static RexNode withoutNullabilityCasts(RexBuilder builder, RexNode condition) {
    RexNode bare = RexUtil.removeNullabilityCast(builder.getTypeFactory(), condition);
    if (!(bare instanceof RexCall call) || !bare.isA(JUNCTIONS)) {
      return bare;
    }
    List<RexNode> operands =
        call.operands.stream().map(each -> withoutNullabilityCasts(builder, each)).toList();
    return operands.equals(call.operands)
        ? call
        : builder.makeCall(call.getParserPosition(), call.getOperator(), operands);
  }

  /** A shuttle that also enters the relational trees of sub-queries. */
  abstract static class Deep extends RexShuttle {
    @Override
    public RexNode visitSubQuery(RexSubQuery subQuery) {
      RexNode visited = super.visitSubQuery(subQuery);
      RexSubQuery outer = visited instanceof RexSubQuery changed ? changed : subQuery;
      RelNode inner = expressions(outer.rel, this);
      return inner == outer.rel ? outer : outer.clone(inner);
    }

    /** The call with its operands rewritten, as a call. */
    RexCall visitOperands(RexCall call) {
      return (RexCall) super.visitCall(call);
    }
  }
}
