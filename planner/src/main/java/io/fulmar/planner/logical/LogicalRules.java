package io.fulmar.planner.logical;

import com.google.common.collect.ImmutableList;
import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.time.Duration;
import org.apache.calcite.plan.Contexts;
import org.apache.calcite.plan.RelOptCostImpl;
import org.apache.calcite.plan.RelOptListener;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelRule;
import org.apache.calcite.plan.hep.HepMatchOrder;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgram;
import org.apache.calcite.plan.hep.HepProgramBuilder;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.rules.CoreRules;
import org.apache.calcite.rel.rules.FilterProjectTransposeRule;
import org.apache.calcite.rel.rules.ProjectMergeRule;
import org.apache.calcite.rel.rules.PruneEmptyRules;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.tools.RelBuilder;
import org.apache.calcite.tools.RelBuilderFactory;

/**
 * The rules, in the order in which they run. None evaluates an expression: folding is {@link
 * ConstantFolder}'s, since Calcite's own semantics of text, rounding and casts are not the
 * engine's, and none pushes a comparison into a CASE that guards a division.
 */
final class LogicalRules {
  /** Builders that simplify nothing on their own. */
  static final RelBuilderFactory BUILDERS =
      RelBuilder.proto(
          Contexts.of(
              RelBuilder.Config.DEFAULT
                  .withSimplify(false)
                  .withSimplifyValues(false)
                  .withPruneInputOfAggregate(false)));

  /** As {@link #BUILDERS}, but a projection stays apart from one below it. */
  static final RelBuilderFactory TRIM_BUILDERS =
      RelBuilder.proto(
          Contexts.of(
              RelBuilder.Config.DEFAULT
                  .withSimplify(false)
                  .withSimplifyValues(false)
                  .withPruneInputOfAggregate(false)
                  .withBloat(-1)));

  /** Sub-queries become correlated joins. */
  static final HepProgram SUB_QUERIES =
      program(
          CoreRules.FILTER_SUB_QUERY_TO_CORRELATE,
          CoreRules.PROJECT_SUB_QUERY_TO_CORRELATE,
          CoreRules.JOIN_SUB_QUERY_TO_CORRELATE);

  /** Filters move to the tables, projections merge, joins on distinct keys become semi-joins. */
  static final HepProgram NORMALIZE =
      program(
          CoreRules.FILTER_MERGE,
          filterProjectTranspose(),
          CoreRules.FILTER_INTO_JOIN,
          CoreRules.JOIN_CONDITION_PUSH,
          CoreRules.FILTER_AGGREGATE_TRANSPOSE,
          CoreRules.FILTER_SET_OP_TRANSPOSE,
          CoreRules.PROJECT_MERGE,
          CoreRules.PROJECT_REMOVE,
          CoreRules.AGGREGATE_PROJECT_MERGE,
          CoreRules.PROJECT_TO_SEMI_JOIN,
          CoreRules.JOIN_TO_SEMI_JOIN,
          PruneEmptyRules.PROJECT_INSTANCE,
          PruneEmptyRules.FILTER_INSTANCE,
          PruneEmptyRules.SORT_INSTANCE,
          PruneEmptyRules.AGGREGATE_INSTANCE,
          PruneEmptyRules.JOIN_LEFT_INSTANCE,
          PruneEmptyRules.JOIN_RIGHT_INSTANCE,
          PruneEmptyRules.UNION_INSTANCE,
          PruneEmptyRules.INTERSECT_INSTANCE,
          PruneEmptyRules.MINUS_INSTANCE);

  /** Key expressions become columns below the join, so that the engine can hash them. */
  static final HepProgram JOIN_KEYS = program(CoreRules.JOIN_PUSH_EXPRESSIONS);

  /** After trimming: projections that do nothing, or follow one another, go, but not from scans. */
  static final HepProgram TIDY =
      program(projectMerge(), CoreRules.PROJECT_REMOVE, CoreRules.PROJECT_TO_SEMI_JOIN);

  /** Window functions leave the projections, as the plan language wants them. */
  static final HepProgram WINDOWS =
      program(CoreRules.PROJECT_TO_LOGICAL_PROJECT_AND_WINDOW, CoreRules.PROJECT_REMOVE);

  private LogicalRules() {}

  /**
   * Applies a program until nothing changes.
   *
   * @throws FulmarException STATEMENT_TOO_COMPLEX when it takes longer than {@code limit}
   */
  static RelNode run(RelNode root, HepProgram program, Duration limit) {
    HepPlanner planner =
        new HepPlanner(program, Contexts.empty(), true, null, RelOptCostImpl.FACTORY);
    planner.addListener(new Deadline(limit));
    planner.setRoot(root);
    return planner.findBestExp();
  }

  private static HepProgram program(RelOptRule... rules) {
    HepProgramBuilder program = HepProgram.builder().addMatchOrder(HepMatchOrder.DEPTH_FIRST);
    ImmutableList.Builder<RelOptRule> own = ImmutableList.builder();
    for (RelOptRule rule : rules) {
      own.add(withBuilders(rule));
    }
    return program.addRuleCollection(own.build()).build();
  }

  private static RelOptRule withBuilders(RelOptRule rule) {
    return rule instanceof RelRule<?> configured
        ? configured.config.withRelBuilderFactory(BUILDERS).toRule()
        : rule;
  }

  /** As Calcite's, but a projection of RANDOM() and the like is not evaluated twice. */
  private static RelOptRule filterProjectTranspose() {
    return FilterProjectTransposeRule.Config.DEFAULT
        .withOperandFor(
            Filter.class,
            filter -> !RexUtil.containsCorrelation(filter.getCondition()),
            Project.class,
            project -> project.getProjects().stream().allMatch(RexUtil::isDeterministic))
        .toRule();
  }

  /** As Calcite's, but the columns that a scan reads stay apart from what is computed of them. */
  private static RelOptRule projectMerge() {
    return ProjectMergeRule.Config.DEFAULT
        .withOperandSupplier(
            top ->
                top.operand(Project.class)
                    .oneInput(
                        bottom ->
                            bottom
                                .operand(Project.class)
                                .predicate(
                                    project ->
                                        !(project.getInput().stripped() instanceof TableScan))
                                .anyInputs()))
        .toRule();
  }

  private static final class Deadline implements RelOptListener {
    private final Duration limit;
    private final long start = System.nanoTime();

    Deadline(Duration limit) {
      this.limit = limit;
    }

    @Override
    public void ruleAttempted(RuleAttemptedEvent event) {
      if (System.nanoTime() - start > limit.toNanos()) {
        throw new FulmarException(
                ErrorCode.STATEMENT_TOO_COMPLEX,
                "Planning took longer than " + limit.toSeconds() + " s")
            .withHint("Split the statement, or replace long lists by a join with VALUES.");
      }
    }

    @Override
    public void relEquivalenceFound(RelEquivalenceEvent event) {}

    @Override
    public void ruleProductionSucceeded(RuleProductionEvent event) {}

    @Override
    public void relDiscarded(RelDiscardedEvent event) {}

    @Override
    public void relChosen(RelChosenEvent event) {}
  }
}
