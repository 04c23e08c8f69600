package io.fulmar.planner.logical;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.util.List;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.logical.LogicalValues;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql2rel.RelDecorrelator;

/**
 * Normalises a relational tree in two steps, between which the caller rewrites table scans: {@link
 * #relational} ends with plain joins, {@link #optimize} moves filters down; {@link #trim} then
 * leaves only needed columns.
 *
 * <p>Call it on a thread with a large stack: Calcite recurses over the tree. No state; safe for use
 * by several threads.
 */
public final class LogicalPlanner {
  /** How the message of RelOptUtil.equal begins. */
  private static final String TYPE_MISMATCH = "type mismatch";

  private final PlanLimits limits;

  public LogicalPlanner(PlanLimits limits) {
    this.limits = requireNonNull(limits, "limits is null");
  }

  /**
   * Binds parameters and removes sub-queries and correlation.
   *
   * @param root from SqlToRelConverter with {@code expand=false}
   * @param parameters in the forms of {@code ParameterValues}
   * @throws io.fulmar.catalog.error.FulmarException INVALID_PARAMETER, STATEMENT_TOO_COMPLEX, or
   *     UNSUPPORTED_SQL where correlation remains
   */
  public RelNode relational(RelNode root, List<Object> parameters) {
    limits.check(root);
    RelNode plan = ParameterBinder.bind(root, parameters);
    plan = FlatUnions.flatten(plan);
    plan = Rewrites.expressions(plan, new Quantifiers(plan.getCluster().getRexBuilder()));
    plan = UnnestRewriter.rewrite(plan);
    plan = SubQueryJoins.rewrite(plan);
    plan = LogicalRules.run(plan, LogicalRules.SUB_QUERIES, limits.time());
    plan = decorrelate(OneRowCorrelates.rewrite(plan));
    CorrelationCheck.check(plan);
    return foldAndCoerce(plan);
  }

  /**
   * Calcite asserts that types stay; where they would not, rows would not either. Any other
   * assertion is a fault.
   */
  private static RelNode decorrelate(RelNode plan) {
    try {
      return RelDecorrelator.decorrelateQuery(
          plan, LogicalRules.BUILDERS.create(plan.getCluster(), null));
    } catch (AssertionError changedType) {
      if (!String.valueOf(changedType.getMessage()).startsWith(TYPE_MISMATCH)) {
        throw changedType;
      }
      throw new FulmarException(
          ErrorCode.UNSUPPORTED_SQL,
          "This release cannot plan this correlated sub-query without changing its rows",
          changedType);
    }
  }

  /** Moves filters to the tables and orders joins. */
  public RelNode optimize(RelNode root) {
    RelNode plan = LogicalRules.run(root, LogicalRules.NORMALIZE, limits.time());
    plan = AntiJoins.find(UnnestFilters.push(plan));
    plan = JoinOrder.apply(plan, JoinOrder.STRATEGY);
    plan = foldAndCoerce(plan);
    plan = LogicalRules.run(plan, LogicalRules.NORMALIZE, limits.time());
    return LogicalRules.run(plan, LogicalRules.JOIN_KEYS, limits.time());
  }

  /** Leaves only needed columns. */
  public RelNode trim(RelNode root) {
    RelNode plan = LogicalRules.run(FieldTrimmer.apply(root), LogicalRules.TIDY, limits.time());
    return AntiJoins.find(plan);
  }

  /** Turns window functions in projections into window operators: the last step. */
  public RelNode windows(RelNode root) {
    return LogicalRules.run(root, LogicalRules.WINDOWS, limits.time());
  }

  private static RelNode foldAndCoerce(RelNode root) {
    RexBuilder builder = root.getCluster().getRexBuilder();
    RelNode expanded = Rewrites.expressions(root, RexUtil.searchShuttle(builder, null, -1));
    RelNode constants = Rewrites.expressions(expanded, new ConstantFolder(builder));
    RelNode coerced = TypeCoercer.coerce(constants);
    RelNode folded = Rewrites.expressions(coerced, new ConstantFolder(builder));
    return folded.accept(new Conditions());
  }

  /**
   * Conditions of filters and joins: what all branches of an OR share stands before it, so that it
   * can be a join key; a filter that is TRUE goes, one that is FALSE or NULL leaves no row.
   */
  private static final class Conditions extends RelHomogeneousShuttle {
    @Override
    public RelNode visit(RelNode other) {
      RelNode visited = super.visit(other);
      RexBuilder builder = visited.getCluster().getRexBuilder();
      if (visited instanceof Join join) {
        RexNode condition = RexUtil.pullFactors(builder, join.getCondition());
        return join.copy(
            join.getTraitSet(),
            condition,
            join.getLeft(),
            join.getRight(),
            join.getJoinType(),
            join.isSemiJoinDone());
      }
      return visited instanceof Filter filter
          ? filter(filter, RexUtil.pullFactors(builder, filter.getCondition()))
          : visited;
    }

    private static RelNode filter(Filter filter, RexNode condition) {
      if (condition.isAlwaysTrue()) {
        return filter.getInput();
      }
      boolean never =
          TypedLiterals.of(condition)
              .map(literal -> literal.isNull() || literal.isAlwaysFalse())
              .orElse(false);
      return never
          ? LogicalValues.createEmpty(filter.getCluster(), filter.getRowType())
          : filter.copy(filter.getTraitSet(), filter.getInput(), condition);
    }
  }
}
