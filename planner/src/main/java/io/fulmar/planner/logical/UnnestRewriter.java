package io.fulmar.planner.logical;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Uncollect;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;

/**
 * Turns {@code Correlate(left, Uncollect(collection of left))} into {@link Unnest} before anything
 * tries to decorrelate it by joining on the whole collection; projections and filters between the
 * two move above.
 */
final class UnnestRewriter extends RelHomogeneousShuttle {
  private UnnestRewriter() {}

  static RelNode rewrite(RelNode root) {
    UnnestRewriter rewriter = new UnnestRewriter();
    RelNode rewritten = root.accept(rewriter);
    return Rewrites.expressions(
        rewritten,
        new RexShuttle() {
          @Override
          public RexNode visitSubQuery(org.apache.calcite.rex.RexSubQuery subQuery) {
            return subQuery.clone(rewrite(subQuery.rel));
          }
        });
  }

  @Override
  public RelNode visit(RelNode other) {
    if (other instanceof Correlate correlate) {
      Optional<RelNode> unnested = correlated(correlate);
      if (unnested.isPresent()) {
        return unnested.get();
      }
    } else if (other instanceof Uncollect uncollect) {
      return standalone(uncollect);
    }
    return super.visit(other);
  }

  private Optional<RelNode> correlated(Correlate correlate) {
    Deque<RelNode> above = new ArrayDeque<>();
    RelNode right = correlate.getRight().stripped();
    while (right instanceof Project || right instanceof Filter) {
      above.push(right);
      right = right.getInput(0).stripped();
    }
    boolean outer = correlate.getJoinType() == JoinRelType.LEFT;
    if (!(right instanceof Uncollect uncollect)
        || !(uncollect.getInput().stripped() instanceof Project source)
        || !(source.getInput().stripped() instanceof Values values)
        || values.getTuples().size() != 1
        || !(outer || correlate.getJoinType() == JoinRelType.INNER)
        || (outer && !keepsNulls(above))) {
      return Optional.empty();
    }
    RelNode left = correlate.getLeft().accept(this);
    RexShuttle toLeft = new Shift(correlate.getCorrelationId(), left, 0);
    Unnest.EmptyRows empty = outer ? Unnest.EmptyRows.KEEP : Unnest.EmptyRows.DROP;
    RelNode result =
        new Unnest(
            left,
            toLeft.apply(single(source.getProjects())),
            empty,
            ordinality(uncollect),
            fields(uncollect, empty));
    for (RelNode node : above) {
      result = moveAbove(node, result, left, correlate.getCorrelationId());
    }
    return Optional.of(named(result, correlate.getRowType()));
  }

  /** Whether rows of NULL, which an outer unnest adds, pass the projections unchanged. */
  private static boolean keepsNulls(Deque<RelNode> above) {
    for (RelNode node : above) {
      boolean references =
          node instanceof Project project
              && project.getProjects().stream().allMatch(RexInputRef.class::isInstance);
      if (!references) {
        return false;
      }
    }
    return true;
  }

  private static RelNode moveAbove(
      RelNode node, RelNode input, RelNode left, CorrelationId correlation) {
    int shift = left.getRowType().getFieldCount();
    RexShuttle shifted = new Shift(correlation, left, shift);
    if (node instanceof Filter filter) {
      return LogicalFilter.create(input, shifted.apply(filter.getCondition()));
    }
    Project project = (Project) node;
    RexBuilder builder = input.getCluster().getRexBuilder();
    List<RexNode> columns = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (RelDataTypeField field : left.getRowType().getFieldList()) {
      columns.add(builder.makeInputRef(input, field.getIndex()));
      names.add(field.getName());
    }
    for (int i = 0; i < project.getProjects().size(); i++) {
      RexNode moved = shifted.apply(project.getProjects().get(i));
      columns.add(
          moved instanceof RexInputRef reference
              ? builder.makeInputRef(input, reference.getIndex())
              : moved);
      names.add(project.getRowType().getFieldNames().get(i));
    }
    return LogicalProject.create(input, List.of(), columns, names, Set.of());
  }

  private static RelNode named(RelNode node, RelDataType wanted) {
    if (node.getRowType().equals(wanted)) {
      return node;
    }
    RexBuilder builder = node.getCluster().getRexBuilder();
    List<RexNode> columns = new ArrayList<>();
    for (RelDataTypeField field : wanted.getFieldList()) {
      RexNode column = builder.makeInputRef(node, field.getIndex());
      columns.add(
          column.getType().equals(field.getType())
              ? column
              : builder.makeAbstractCast(field.getType(), column, false));
    }
    return LogicalProject.create(node, List.of(), columns, wanted.getFieldNames(), Set.of());
  }

  private RelNode standalone(Uncollect uncollect) {
    RelNode input = uncollect.getInput().accept(this);
    int width = input.getRowType().getFieldCount();
    RexBuilder builder = input.getCluster().getRexBuilder();
    List<RexNode> collections = new ArrayList<>();
    for (int i = 0; i < width; i++) {
      collections.add(builder.makeInputRef(input, i));
    }
    RelNode unnest =
        new Unnest(
            input,
            single(collections),
            Unnest.EmptyRows.DROP,
            ordinality(uncollect),
            fields(uncollect, Unnest.EmptyRows.DROP));
    List<RexNode> columns = new ArrayList<>();
    for (int i = width; i < unnest.getRowType().getFieldCount(); i++) {
      columns.add(builder.makeInputRef(unnest, i));
    }
    return LogicalProject.create(
        unnest, List.of(), columns, uncollect.getRowType().getFieldNames(), Set.of());
  }

  private static RexNode single(List<RexNode> collections) {
    if (collections.size() != 1) {
      throw new FulmarException(
          ErrorCode.UNSUPPORTED_SQL, "UNNEST takes one array or map, not " + collections.size());
    }
    return collections.get(0);
  }

  private static Unnest.Ordinality ordinality(Uncollect uncollect) {
    return uncollect.withOrdinality ? Unnest.Ordinality.FROM_ONE : Unnest.Ordinality.ABSENT;
  }

  private static List<RelDataTypeField> fields(Uncollect uncollect, Unnest.EmptyRows empty) {
    RelDataTypeFactory types = uncollect.getCluster().getTypeFactory();
    RelDataTypeFactory.Builder fields = types.builder();
    for (RelDataTypeField field : uncollect.getRowType().getFieldList()) {
      boolean nullable = field.getType().isNullable() || empty == Unnest.EmptyRows.KEEP;
      fields.add(field.getName(), types.createTypeWithNullability(field.getType(), nullable));
    }
    return fields.build().getFieldList();
  }

  /** References of the right side move behind the left's; correlated ones become the left's. */
  private static final class Shift extends RexShuttle {
    private final CorrelationId correlation;
    private final RelNode left;
    private final int shift;

    Shift(CorrelationId correlation, RelNode left, int shift) {
      this.correlation = correlation;
      this.left = left;
      this.shift = shift;
    }

    @Override
    public RexNode visitInputRef(RexInputRef reference) {
      return new RexInputRef(reference.getIndex() + shift, reference.getType());
    }

    @Override
    public RexNode visitFieldAccess(RexFieldAccess access) {
      if (access.getReferenceExpr() instanceof RexCorrelVariable variable
          && variable.id.equals(correlation)) {
        return left.getCluster().getRexBuilder().makeInputRef(left, access.getField().getIndex());
      }
      return super.visitFieldAccess(access);
    }
  }
}
