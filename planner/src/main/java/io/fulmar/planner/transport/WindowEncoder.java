package io.fulmar.planner.transport;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.engine.plan.Expr;
import io.fulmar.engine.plan.Frame;
import io.fulmar.engine.plan.FrameBound;
import io.fulmar.engine.plan.FrameBoundKind;
import io.fulmar.engine.plan.FrameUnit;
import io.fulmar.engine.plan.Rel;
import io.fulmar.engine.plan.WindowCall;
import io.fulmar.engine.plan.WindowGroup;
import io.fulmar.engine.plan.WindowRel;
import io.fulmar.planner.function.Functions;
import io.fulmar.planner.logical.TypedLiterals;
import io.fulmar.planner.parse.GroupsFrame;
import io.fulmar.planner.type.PlanTypes;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.core.Window;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexWindowBound;
import org.apache.calcite.rex.RexWindowExclusion;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** Window operators: groups of calls that share partition, order and frame. */
final class WindowEncoder {
  private final ExprEncoder expressions;
  private final AggregateEncoder aggregates;
  private final NodeIds nodes;

  WindowEncoder(ExprEncoder expressions, AggregateEncoder aggregates, NodeIds nodes) {
    this.expressions = requireNonNull(expressions, "expressions is null");
    this.aggregates = requireNonNull(aggregates, "aggregates is null");
    this.nodes = requireNonNull(nodes, "nodes is null");
  }

  WindowRel encode(Window window, Rel input) {
    WindowRel.Builder encoded = WindowRel.newBuilder().setInput(input);
    for (Window.Group group : window.groups) {
      encoded.addGroups(group(window, group));
    }
    return encoded.build();
  }

  private WindowGroup group(Window window, Window.Group group) {
    if (group.exclude != RexWindowExclusion.EXCLUDE_NO_OTHER) {
      throw new FulmarException(
          ErrorCode.UNSUPPORTED_SQL, "The frame clause " + group.exclude + " is not supported");
    }
    WindowGroup.Builder encoded =
        WindowGroup.newBuilder()
            .addAllPartitionBy(group.keys.asList())
            .addAllOrderBy(aggregates.sortKeys(group.orderKeys, window.getInput().getRowType()))
            .setFrame(frame(window, group));
    for (Window.RexWinAggCall call : group.aggCalls) {
      try {
        encoded.addCalls(call(window, call));
      } catch (FulmarException error) {
        throw error.position().isPresent() ? error : nodes.at(call.getParserPosition(), error);
      }
    }
    return encoded.build();
  }

  private WindowCall call(Window window, Window.RexWinAggCall call) {
    SqlAggFunction operator = (SqlAggFunction) call.getOperator();
    WindowCall.Builder encoded =
        WindowCall.newBuilder()
            .setDistinct(call.distinct)
            .setIgnoreNulls(call.ignoreNulls)
            .setType(PlanTypes.type(call.getType()));
    for (RexNode operand : call.operands) {
      encoded.addArgs(expressions.encode(withConstants(window, operand)));
    }
    if (Functions.window(operator).isPresent()) {
      return encoded.setWindow(Functions.window(operator).get()).build();
    }
    return encoded
        .setAggregate(
            Functions.aggregate(operator)
                .orElseThrow(
                    () ->
                        new FulmarException(
                            ErrorCode.UNSUPPORTED_SQL,
                            "The window function " + operator.getName() + " is not supported")))
        .build();
  }

  /** References past the input are to the operator's constants. */
  private static RexNode withConstants(Window window, RexNode node) {
    int width = window.getInput().getRowType().getFieldCount();
    return node.accept(
        new RexShuttle() {
          @Override
          public RexNode visitInputRef(RexInputRef reference) {
            return reference.getIndex() < width
                ? reference
                : window.constants.get(reference.getIndex() - width);
          }
        });
  }

  private Frame frame(Window window, Window.Group group) {
    List<FrameBound> bounds = new ArrayList<>();
    boolean groups = false;
    for (RexWindowBound bound : List.of(group.lowerBound, group.upperBound)) {
      Optional<RexNode> offset =
          Optional.ofNullable(bound.getOffset()).map(node -> withConstants(window, node));
      Optional<BigDecimal> marked =
          group.isRows
              ? offset.flatMap(WindowEncoder::whole).filter(GroupsFrame::isMarked)
              : Optional.empty();
      groups |= marked.isPresent();
      FrameBound.Builder encoded = FrameBound.newBuilder().setKind(kind(bound));
      if (marked.isPresent()) {
        encoded.setOffset(expressions.bigint(GroupsFrame.unmark(marked.get()).longValueExact()));
      } else if (offset.isPresent()) {
        encoded.setOffset(offset(offset.get(), group.isRows));
      }
      bounds.add(encoded.build());
    }
    FrameUnit rows = groups ? FrameUnit.GROUPS : FrameUnit.ROWS;
    return Frame.newBuilder()
        .setUnit(group.isRows ? rows : FrameUnit.RANGE)
        .setStart(bounds.get(0))
        .setEnd(bounds.get(1))
        .build();
  }

  private static Optional<BigDecimal> whole(RexNode node) {
    return TypedLiterals.of(node)
        .filter(literal -> !literal.isNull() && SqlTypeUtil.isExactNumeric(literal.getType()))
        .map(literal -> literal.getValueAs(BigDecimal.class));
  }

  private Expr offset(RexNode node, boolean rows) {
    Optional<RexLiteral> literal = TypedLiterals.of(node).filter(found -> !found.isNull());
    if (literal.isEmpty()) {
      throw new FulmarException(
          ErrorCode.UNSUPPORTED_SQL, "A window frame needs offsets that are literals");
    }
    return rows
        ? expressions.bigint(literal.get().getValueAs(BigDecimal.class).longValueExact())
        : expressions.literal(literal.get(), node.getType());
  }

  private static FrameBoundKind kind(RexWindowBound bound) {
    if (bound.isCurrentRow()) {
      return FrameBoundKind.CURRENT_ROW;
    }
    if (bound.isUnbounded()) {
      return bound.isPreceding()
          ? FrameBoundKind.UNBOUNDED_PRECEDING
          : FrameBoundKind.UNBOUNDED_FOLLOWING;
    }
    return bound.isPreceding() ? FrameBoundKind.PRECEDING : FrameBoundKind.FOLLOWING;
  }
}
