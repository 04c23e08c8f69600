package io.fulmar.planner.logical;

import com.google.common.collect.ImmutableSet;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;

/**
 * A sub-query whose correlated conditions were lifted to its top.
 *
 * @param core without correlation; the sub-query's columns come first
 * @param conditions over the core's columns and the outer row
 */
record LiftedQuery(RelNode core, List<RexNode> conditions) {
  LiftedQuery {
    conditions = List.copyOf(conditions);
  }

  /** Lifts through filters and projections; empty where the correlation lies deeper. */
  static Optional<LiftedQuery> of(RelNode query, Set<CorrelationId> outer) {
    Set<CorrelationId> used = correlations(query);
    if (used.isEmpty()) {
      return Optional.of(new LiftedQuery(query, List.of()));
    }
    if (!outer.containsAll(used)) {
      return Optional.empty();
    }
    if (query instanceof Filter filter) {
      return filter(filter, outer);
    }
    return query instanceof Project project ? project(project, outer) : Optional.empty();
  }

  private static Optional<LiftedQuery> filter(Filter filter, Set<CorrelationId> outer) {
    List<RexNode> lifted = new ArrayList<>();
    List<RexNode> kept = new ArrayList<>();
    for (RexNode conjunct : RelOptUtil.conjunctions(filter.getCondition())) {
      boolean correlated = !correlations(conjunct).isEmpty();
      if (correlated && RexUtil.SubQueryFinder.find(conjunct) != null) {
        return Optional.empty();
      }
      (correlated ? lifted : kept).add(conjunct);
    }
    return of(filter.getInput(), outer)
        .map(
            below -> {
              lifted.addAll(below.conditions);
              return new LiftedQuery(filtered(below.core, kept, filter), lifted);
            });
  }

  private static RelNode filtered(RelNode core, List<RexNode> conditions, Filter original) {
    if (conditions.isEmpty()) {
      return core;
    }
    RexBuilder builder = core.getCluster().getRexBuilder();
    return LogicalFilter.create(
        core,
        RexUtil.composeConjunction(builder, conditions),
        ImmutableSet.copyOf(original.getVariablesSet()));
  }

  /** The projection's columns, then those of its input that lifted conditions refer to. */
  private static Optional<LiftedQuery> project(Project project, Set<CorrelationId> outer) {
    boolean plain =
        project.getProjects().stream()
            .allMatch(
                expression ->
                    correlations(expression).isEmpty() && !RexOver.containsOver(expression));
    if (!plain || !project.getVariablesSet().isEmpty()) {
      return Optional.empty();
    }
    return of(project.getInput(), outer).map(below -> widened(project, below));
  }

  private static LiftedQuery widened(Project project, LiftedQuery below) {
    RexBuilder builder = project.getCluster().getRexBuilder();
    List<RexNode> columns = new ArrayList<>(project.getProjects());
    List<String> names = new ArrayList<>(project.getRowType().getFieldNames());
    int shift = columns.size();
    for (RelDataTypeField field : below.core.getRowType().getFieldList()) {
      columns.add(builder.makeInputRef(below.core, field.getIndex()));
      names.add(field.getName());
    }
    List<RexNode> moved =
        below.conditions.stream().map(each -> RexUtil.shift(each, shift)).toList();
    return new LiftedQuery(
        LogicalProject.create(below.core, List.of(), columns, names, Set.of()), moved);
  }

  /** The variables that a tree takes from outside itself. */
  private static Set<CorrelationId> correlations(RelNode root) {
    CorrelationFinder finder = new CorrelationFinder();
    finder.enter(root);
    return finder.free();
  }

  private static Set<CorrelationId> correlations(RexNode node) {
    CorrelationFinder finder = new CorrelationFinder();
    finder.apply(node);
    return finder.free();
  }

  private static final class CorrelationFinder extends RexShuttle {
    private final Set<CorrelationId> used = new HashSet<>();
    private final Set<CorrelationId> set = new HashSet<>();

    void enter(RelNode root) {
      RexShuttle expressions = this;
      root.accept(
          new RelHomogeneousShuttle() {
            @Override
            public RelNode visit(RelNode other) {
              set.addAll(other.getVariablesSet());
              other.accept(expressions);
              return super.visit(other);
            }
          });
    }

    Set<CorrelationId> free() {
      used.removeAll(set);
      return used;
    }

    @Override
    public RexNode visitCorrelVariable(RexCorrelVariable variable) {
      used.add(variable.id);
      return variable;
    }

    @Override
    public RexNode visitSubQuery(RexSubQuery subQuery) {
      enter(subQuery.rel);
      return super.visitSubQuery(subQuery);
    }
  }

  /** Moves a lifted condition to a join: outer columns left, the core's right. */
  static final class ToJoin extends RexShuttle {
    private final RelNode left;
    private final int width;

    ToJoin(RelNode left, int width) {
      this.left = left;
      this.width = width;
    }

    @Override
    public RexNode visitInputRef(RexInputRef reference) {
      return new RexInputRef(reference.getIndex() + width, reference.getType());
    }

    @Override
    public RexNode visitFieldAccess(RexFieldAccess access) {
      if (access.getReferenceExpr() instanceof RexCorrelVariable) {
        return left.getCluster().getRexBuilder().makeInputRef(left, access.getField().getIndex());
      }
      return super.visitFieldAccess(access);
    }
  }
}
