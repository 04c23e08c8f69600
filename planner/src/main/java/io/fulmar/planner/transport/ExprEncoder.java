package io.fulmar.planner.transport;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.engine.plan.Call;
import io.fulmar.engine.plan.CaseExpr;
import io.fulmar.engine.plan.Expr;
import io.fulmar.engine.plan.FieldAccess;
import io.fulmar.engine.plan.InList;
import io.fulmar.engine.plan.Literal;
import io.fulmar.engine.plan.ScalarFunction;
import io.fulmar.engine.plan.WhenThen;
import io.fulmar.planner.logical.TypedLiterals;
import io.fulmar.planner.type.PlanTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;

/** Expressions over the columns of one relation. */
final class ExprEncoder {
  private final RexBuilder builder;
  private final NodeIds nodes;
  private final CallEncoder calls;

  ExprEncoder(RexBuilder builder, NodeIds nodes) {
    this.builder = requireNonNull(builder, "builder is null");
    this.nodes = requireNonNull(nodes, "nodes is null");
    this.calls = new CallEncoder(this, nodes);
  }

  /**
   * The expression in its declared type.
   *
   * @throws FulmarException UNSUPPORTED_SQL, with the place in the statement where it is known
   */
  Expr encode(RexNode node) {
    RexNode expanded = RexUtil.expandSearch(builder, null, node);
    return visit(expanded);
  }

  List<Expr> encodeAll(List<RexNode> list) {
    return list.stream().map(this::encode).toList();
  }

  /** As {@link #encode}, for operands of an expression whose searches are expanded. */
  Expr visit(RexNode node) {
    if (node instanceof RexInputRef reference) {
      return column(reference.getIndex(), reference.getType());
    } else if (node instanceof RexLiteral literal) {
      return literal(literal, literal.getType());
    } else if (node instanceof RexFieldAccess access) {
      return typed(access.getType())
          .setField(
              FieldAccess.newBuilder()
                  .setInput(visit(access.getReferenceExpr()))
                  .setOrdinal(access.getField().getIndex()))
          .build();
    } else if (node instanceof RexCall call) {
      return call(call);
    }
    throw new FulmarException(
        ErrorCode.UNSUPPORTED_SQL, "An expression of kind " + node.getKind() + " is not supported");
  }

  List<Expr> visitAll(List<RexNode> list) {
    return list.stream().map(this::visit).toList();
  }

  private Expr call(RexCall call) {
    Optional<RexLiteral> literal =
        call.getKind() == SqlKind.CAST ? TypedLiterals.of(call) : Optional.empty();
    if (literal.isPresent()) {
      return literal(literal.get(), call.getType());
    }
    try {
      Expr encoded =
          switch (call.getKind()) {
            case AND, OR -> junction(call);
            case CASE -> caseOf(call);
            default -> calls.encode(call);
          };
      int id = nodes.of(call);
      return id == 0 || encoded.getNode() != 0 ? encoded : encoded.toBuilder().setNode(id).build();
    } catch (FulmarException error) {
      throw error.position().isPresent() ? error : nodes.at(call.getParserPosition(), error);
    }
  }

  Expr column(int ordinal, RelDataType type) {
    return typed(type).setColumn(ordinal).build();
  }

  Expr literal(RexLiteral literal, RelDataType type) {
    return literal.getTypeName() == SqlTypeName.SYMBOL
        ? text(String.valueOf(literal.getValue()).toLowerCase(Locale.ROOT))
        : literal(LiteralEncoder.encode(literal, type), type);
  }

  private Expr literal(Literal value, RelDataType type) {
    return typed(type).setLiteral(value).build();
  }

  /** A text literal. */
  Expr text(String value) {
    return literal(
        LiteralEncoder.ofText(value), builder.getTypeFactory().createSqlType(SqlTypeName.VARCHAR));
  }

  /** A BIGINT literal. */
  Expr bigint(long value) {
    return literal(
        LiteralEncoder.ofInteger(value),
        builder.getTypeFactory().createSqlType(SqlTypeName.BIGINT));
  }

  Expr call(RelDataType type, ScalarFunction function, List<Expr> args) {
    return typed(type).setCall(Call.newBuilder().setFunction(function).addAllArgs(args)).build();
  }

  Expr.Builder typed(RelDataType type) {
    return Expr.newBuilder().setType(PlanTypes.type(type));
  }

  private Expr caseOf(RexCall call) {
    CaseExpr.Builder encoded = CaseExpr.newBuilder();
    int last = call.operands.size() - 1;
    for (int i = 0; i < last; i += 2) {
      encoded.addBranches(
          WhenThen.newBuilder()
              .setWhen(visit(call.operands.get(i)))
              .setThen(visit(call.operands.get(i + 1))));
    }
    encoded.setOtherwise(visit(call.operands.get(last)));
    return typed(call.getType()).setCase(encoded).build();
  }

  private Expr junction(RexCall call) {
    boolean conjunction = call.getKind() == SqlKind.AND;
    List<RexNode> operands =
        conjunction ? RelOptUtil.conjunctions(call) : RelOptUtil.disjunctions(call);
    Optional<Expr> list = inList(operands, conjunction ? SqlKind.NOT_EQUALS : SqlKind.EQUALS, call);
    return list.orElseGet(
        () ->
            call(
                call.getType(),
                conjunction ? ScalarFunction.AND : ScalarFunction.OR,
                visitAll(operands)));
  }

  /** {@code x = a OR x = b …} and {@code x <> a AND x <> b …} as a list. */
  private Optional<Expr> inList(List<RexNode> operands, SqlKind kind, RexCall call) {
    List<Expr> values = new ArrayList<>();
    RexNode value = null;
    for (RexNode operand : operands) {
      if (operand.getKind() != kind) {
        return Optional.empty();
      }
      RexNode left = ((RexCall) operand).operands.get(0);
      RexNode right = ((RexCall) operand).operands.get(1);
      if (TypedLiterals.of(right).isEmpty() || !(value == null || value.equals(left))) {
        return Optional.empty();
      }
      value = left;
      values.add(visit(right));
    }
    if (value == null || values.size() < 2 || !RexUtil.isDeterministic(value)) {
      return Optional.empty();
    }
    InList.Builder list =
        InList.newBuilder()
            .setValue(visit(value))
            .addAllList(values)
            .setNegated(kind == SqlKind.NOT_EQUALS);
    return Optional.of(typed(call.getType()).setInList(list).build());
  }
}
