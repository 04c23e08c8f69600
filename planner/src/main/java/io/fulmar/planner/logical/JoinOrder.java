package io.fulmar.planner.logical;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Keeps the order of the FROM clause, but joins a table only when an equality links it to those
 * before, so that {@code FROM part, supplier, lineitem} does not begin with a cross product. Which
 * side of a join is built is the engine's choice, by its statistics.
 */
final class JoinOrder extends RelHomogeneousShuttle {
  /** How inner joins are ordered. */
  enum Strategy {
    /** As the statement has them. */
    AS_WRITTEN,
    /** As the statement has them, unconnected tables later. */
    CONNECTED_FIRST
  }

  static final Strategy STRATEGY = Strategy.CONNECTED_FIRST;

  private JoinOrder() {}

  static RelNode apply(RelNode root, Strategy strategy) {
    return strategy == Strategy.AS_WRITTEN ? root : root.accept(new JoinOrder());
  }

  @Override
  public RelNode visit(RelNode other) {
    if (!isInner(other)) {
      return super.visit(other);
    }
    Group group = new Group();
    group.collect(other, 0);
    for (int i = 0; i < group.inputs.size(); i++) {
      group.inputs.set(i, group.inputs.get(i).accept(this));
    }
    List<Integer> order = group.order();
    if (isAscending(order)) {
      return super.visit(other);
    }
    return group.build(order, other);
  }

  private static boolean isInner(RelNode node) {
    return node instanceof Join join
        && join.getJoinType() == JoinRelType.INNER
        && join.getHints().isEmpty();
  }

  private static boolean isAscending(List<Integer> order) {
    for (int i = 0; i < order.size(); i++) {
      if (order.get(i) != i) {
        return false;
      }
    }
    return true;
  }

  /** The inputs and conditions of nested inner joins; conditions refer to all inputs in order. */
  private static final class Group {
    private final List<RelNode> inputs = new ArrayList<>();
    private final List<Integer> offsets = new ArrayList<>();
    private final List<RexNode> conditions = new ArrayList<>();

    int collect(RelNode node, int offset) {
      if (!isInner(node)) {
        inputs.add(node);
        offsets.add(offset);
        return offset + node.getRowType().getFieldCount();
      }
      Join join = (Join) node;
      int middle = collect(join.getLeft(), offset);
      int end = collect(join.getRight(), middle);
      for (RexNode conjunct : RelOptUtil.conjunctions(join.getCondition())) {
        conditions.add(RexUtil.shift(conjunct, offset));
      }
      return end;
    }

    private ImmutableBitSet inputsOf(RexNode condition) {
      ImmutableBitSet.Builder used = ImmutableBitSet.builder();
      for (int column : RelOptUtil.InputFinder.bits(condition)) {
        int input = offsets.size() - 1;
        while (offsets.get(input) > column) {
          input--;
        }
        used.set(input);
      }
      return used.build();
    }

    List<Integer> order() {
      List<ImmutableBitSet> links = new ArrayList<>();
      for (RexNode condition : conditions) {
        if (condition.isA(Set.of(SqlKind.EQUALS, SqlKind.IS_NOT_DISTINCT_FROM))) {
          links.add(inputsOf(condition));
        }
      }
      List<Integer> order = new ArrayList<>();
      BitSet placed = new BitSet();
      while (order.size() < inputs.size()) {
        int next = next(placed, links);
        order.add(next);
        placed.set(next);
      }
      return order;
    }

    private int next(BitSet placed, List<ImmutableBitSet> links) {
      for (int i = 0; i < inputs.size() && !placed.isEmpty(); i++) {
        if (!placed.get(i) && isLinked(i, placed, links)) {
          return i;
        }
      }
      return placed.nextClearBit(0);
    }

    private static boolean isLinked(int input, BitSet placed, List<ImmutableBitSet> links) {
      for (ImmutableBitSet link : links) {
        if (link.get(input) && link.cardinality() > 1) {
          BitSet others = link.toBitSet();
          others.clear(input);
          others.andNot(placed);
          if (others.isEmpty()) {
            return true;
          }
        }
      }
      return false;
    }

    RelNode build(List<Integer> order, RelNode original) {
      RexBuilder builder = original.getCluster().getRexBuilder();
      int[] target = new int[original.getRowType().getFieldCount()];
      List<RexNode> open = new ArrayList<>(conditions);
      BitSet placed = new BitSet();
      RelNode result = null;
      for (int input : order) {
        RelNode right = inputs.get(input);
        int start = result == null ? 0 : result.getRowType().getFieldCount();
        for (int i = 0; i < right.getRowType().getFieldCount(); i++) {
          target[offsets.get(input) + i] = start + i;
        }
        placed.set(input);
        result = result == null ? right : join(result, right, ready(open, placed), target);
      }
      List<RexNode> columns = new ArrayList<>();
      for (RelDataTypeField field : original.getRowType().getFieldList()) {
        columns.add(builder.makeInputRef(field.getType(), target[field.getIndex()]));
      }
      return LogicalProject.create(
          result, List.of(), columns, original.getRowType().getFieldNames(), Set.of());
    }

    private List<RexNode> ready(List<RexNode> open, BitSet placed) {
      List<RexNode> ready = new ArrayList<>();
      for (RexNode condition : open) {
        BitSet missing = inputsOf(condition).toBitSet();
        missing.andNot(placed);
        if (missing.isEmpty()) {
          ready.add(condition);
        }
      }
      open.removeAll(ready);
      return ready;
    }

    private static RelNode join(RelNode left, RelNode right, List<RexNode> ready, int[] target) {
      RexBuilder builder = left.getCluster().getRexBuilder();
      RexNode condition = RexUtil.composeConjunction(builder, ready);
      RexNode moved =
          condition.accept(
              new RexShuttle() {
                @Override
                public RexNode visitInputRef(RexInputRef reference) {
                  return new RexInputRef(target[reference.getIndex()], reference.getType());
                }
              });
      return LogicalJoin.create(left, right, List.of(), moved, Set.of(), JoinRelType.INNER);
    }
  }
}
