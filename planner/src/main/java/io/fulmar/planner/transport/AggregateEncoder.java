package io.fulmar.planner.transport;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.engine.plan.AggregateCall;
import io.fulmar.engine.plan.AggregateFunction;
import io.fulmar.engine.plan.AggregateRel;
import io.fulmar.engine.plan.Expr;
import io.fulmar.engine.plan.GroupingSet;
import io.fulmar.engine.plan.Rel;
import io.fulmar.engine.plan.SortKey;
import io.fulmar.planner.function.Functions;
import io.fulmar.planner.logical.TypedLiterals;
import io.fulmar.planner.type.PlanTypes;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelCollation;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.util.ImmutableBitSet;

/** Aggregates with their grouping sets and calls. */
final class AggregateEncoder {
  private final ExprEncoder expressions;
  private final NodeIds nodes;

  AggregateEncoder(ExprEncoder expressions, NodeIds nodes) {
    this.expressions = requireNonNull(expressions, "expressions is null");
    this.nodes = requireNonNull(nodes, "nodes is null");
  }

  AggregateRel encode(Aggregate aggregate, Rel input) {
    AggregateRel.Builder encoded = AggregateRel.newBuilder().setInput(input);
    List<Integer> keys = aggregate.getGroupSet().asList();
    encoded.addAllKeys(keys);
    if (aggregate.getGroupType() != Aggregate.Group.SIMPLE) {
      for (ImmutableBitSet set : aggregate.getGroupSets()) {
        GroupingSet.Builder indexes = GroupingSet.newBuilder();
        set.forEach(key -> indexes.addKeys(keys.indexOf(key)));
        encoded.addGroupingSets(indexes);
      }
    }
    for (org.apache.calcite.rel.core.AggregateCall call : aggregate.getAggCallList()) {
      try {
        encoded.addCalls(call(call, aggregate.getInput()));
      } catch (FulmarException error) {
        throw error.position().isPresent() ? error : nodes.at(call.getParserPosition(), error);
      }
    }
    return encoded.build();
  }

  private AggregateCall call(org.apache.calcite.rel.core.AggregateCall call, RelNode input) {
    if (call.distinctKeys != null) {
      throw new FulmarException(ErrorCode.UNSUPPORTED_SQL, "WITHIN DISTINCT is not supported");
    }
    AggregateFunction function = function(call);
    AggregateCall.Builder encoded =
        AggregateCall.newBuilder()
            .setFunction(function)
            .addAllArgs(arguments(call, function, input))
            .setDistinct(call.isDistinct() && function != AggregateFunction.APPROX_COUNT_DISTINCT)
            .addAllOrderBy(sortKeys(call.getCollation(), input.getRowType()))
            .setIgnoreNulls(call.ignoreNulls())
            .setType(PlanTypes.type(call.getType()));
    if (call.filterArg >= 0) {
      encoded.setFilter(reference(call.filterArg, input));
    }
    return encoded.build();
  }

  private static AggregateFunction function(org.apache.calcite.rel.core.AggregateCall call) {
    AggregateFunction function =
        Functions.aggregate(call.getAggregation())
            .orElseThrow(
                () ->
                    new FulmarException(
                        ErrorCode.UNSUPPORTED_SQL,
                        "The aggregate " + call.getAggregation().getName() + " is not supported"));
    boolean approximate =
        function == AggregateFunction.COUNT
            && call.isApproximate()
            && call.isDistinct()
            && call.getArgList().size() == 1;
    return approximate ? AggregateFunction.APPROX_COUNT_DISTINCT : function;
  }

  private List<Expr> arguments(
      org.apache.calcite.rel.core.AggregateCall call, AggregateFunction function, RelNode input) {
    List<Expr> arguments = new ArrayList<>();
    for (RexNode literal : call.rexList) {
      arguments.add(expressions.encode(literal));
    }
    for (int ordinal : call.getArgList()) {
      arguments.add(
          function == AggregateFunction.GROUPING
              ? reference(ordinal, input)
              : argument(ordinal, input));
    }
    if (function == AggregateFunction.STRING_AGG && arguments.size() == 1) {
      arguments.add(expressions.text(","));
    }
    return arguments;
  }

  /** A column, or the literal that the projection below computes for it: fractions, separators. */
  private Expr argument(int ordinal, RelNode input) {
    if (input instanceof Project project) {
      RexNode expression = project.getProjects().get(ordinal);
      RexLiteral literal = TypedLiterals.of(expression).orElse(null);
      if (literal != null) {
        return expressions.literal(literal, expression.getType());
      }
    }
    return reference(ordinal, input);
  }

  private Expr reference(int ordinal, RelNode input) {
    return expressions.column(ordinal, input.getRowType().getFieldList().get(ordinal).getType());
  }

  List<SortKey> sortKeys(RelCollation collation, RelDataType rowType) {
    return collation.getFieldCollations().stream().map(key -> sortKey(key, rowType)).toList();
  }

  private SortKey sortKey(RelFieldCollation key, RelDataType rowType) {
    RelDataType type = rowType.getFieldList().get(key.getFieldIndex()).getType();
    RelFieldCollation.NullDirection nulls =
        key.nullDirection == RelFieldCollation.NullDirection.UNSPECIFIED
            ? key.getDirection().defaultNullDirection()
            : key.nullDirection;
    return SortKey.newBuilder()
        .setExpr(expressions.column(key.getFieldIndex(), type))
        .setDescending(key.getDirection().isDescending())
        .setNullsFirst(nulls == RelFieldCollation.NullDirection.FIRST)
        .build();
  }
}
