package io.fulmar.planner.logical;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlQuantifyOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/** {@code x = ANY (ARRAY[a, b])} as {@code x = a OR x = b}, {@code ALL} as AND. */
final class Quantifiers extends Rewrites.Deep {
  private final RexBuilder builder;

  Quantifiers(RexBuilder builder) {
    this.builder = requireNonNull(builder, "builder is null");
  }

  @Override
  public RexNode visitCall(RexCall call) {
    RexCall visited = visitOperands(call);
    if (!(visited.getOperator() instanceof SqlQuantifyOperator quantifier)) {
      return visited;
    }
    Optional<List<RexNode>> elements = elements(visited.operands.get(1));
    if (elements.isEmpty()) {
      throw new FulmarException(
              ErrorCode.UNSUPPORTED_SQL,
              quantifier.getName() + " takes a sub-query or ARRAY[…], not another array")
          .withHint("Join with UNNEST of the array.");
    }
    List<RexNode> comparisons = new ArrayList<>();
    for (RexNode element : elements.get()) {
      comparisons.add(
          builder.makeCall(
              call.getParserPosition(),
              comparison(quantifier.comparisonKind),
              List.of(visited.operands.get(0), element)));
    }
    RexNode junction =
        quantifier.getKind() == SqlKind.ALL
            ? RexUtil.composeConjunction(builder, comparisons)
            : RexUtil.composeDisjunction(builder, comparisons);
    return TypedLiterals.withType(builder, junction, call.getType());
  }

  /** The elements of an array constructor, also below a cast of the array. */
  private Optional<List<RexNode>> elements(RexNode array) {
    if (array.getKind() == SqlKind.ARRAY_VALUE_CONSTRUCTOR) {
      return Optional.of(((RexCall) array).operands);
    }
    if (array.getKind() != SqlKind.CAST || array.getType().getComponentType() == null) {
      return Optional.empty();
    }
    RelDataType type = array.getType().getComponentType();
    return elements(((RexCall) array).operands.get(0))
        .map(
            list ->
                list.stream()
                    .map(element -> builder.makeAbstractCast(type, element, false))
                    .toList());
  }

  private static SqlOperator comparison(SqlKind kind) {
    return switch (kind) {
      case EQUALS -> SqlStdOperatorTable.EQUALS;
      case NOT_EQUALS -> SqlStdOperatorTable.NOT_EQUALS;
      case LESS_THAN -> SqlStdOperatorTable.LESS_THAN;
      case LESS_THAN_OR_EQUAL -> SqlStdOperatorTable.LESS_THAN_OR_EQUAL;
      case GREATER_THAN -> SqlStdOperatorTable.GREATER_THAN;
      default -> SqlStdOperatorTable.GREATER_THAN_OR_EQUAL;
    };
  }
}
