package io.fulmar.planner.transport;

import io.fulmar.planner.logical.TypedLiterals;
import io.fulmar.planner.logical.ValueTypes;
import java.util.List;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;

/**
 * Conjuncts that a scan may evaluate before deletes are applied: comparisons of bare columns with
 * literals and what logic makes of them. Nothing that can fail for some row is among them, since
 * the row may be a deleted one.
 */
final class PruningFilters {
  private PruningFilters() {}

  static List<RexNode> simple(List<RexNode> conjuncts) {
    return conjuncts.stream().filter(PruningFilters::isSimple).toList();
  }

  private static boolean isSimple(RexNode node) {
    if (!(node instanceof RexCall call)) {
      return node instanceof RexInputRef;
    }
    return switch (node.getKind()) {
      case AND, OR, NOT, IS_TRUE, IS_FALSE, IS_NOT_TRUE, IS_NOT_FALSE ->
          call.operands.stream().allMatch(PruningFilters::isSimple);
      case IS_NULL, IS_NOT_NULL -> call.operands.get(0) instanceof RexInputRef;
      case EQUALS,
          NOT_EQUALS,
          LESS_THAN,
          LESS_THAN_OR_EQUAL,
          GREATER_THAN,
          GREATER_THAN_OR_EQUAL,
          IS_DISTINCT_FROM,
          IS_NOT_DISTINCT_FROM ->
          call.operands.stream().allMatch(PruningFilters::isOperand);
      case LIKE ->
          call.operands.get(0) instanceof RexInputRef
              && call.operands.stream().skip(1).allMatch(PruningFilters::isLiteral);
      default -> false;
    };
  }

  private static boolean isOperand(RexNode node) {
    if (node.getKind() == SqlKind.CAST && node instanceof RexCall cast && !isLiteral(node)) {
      return cast.operands.get(0) instanceof RexInputRef column
          && ValueTypes.isTotalCast(column.getType(), cast.getType());
    }
    return node instanceof RexInputRef || isLiteral(node);
  }

  private static boolean isLiteral(RexNode node) {
    return TypedLiterals.of(node).isPresent();
  }
}
