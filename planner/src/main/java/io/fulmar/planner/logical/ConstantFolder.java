package io.fulmar.planner.logical;

import static java.util.Objects.requireNonNull;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * Folds what has one meaning everywhere, and nothing else: arithmetic and comparison of exact
 * numbers, dates and times with intervals, lossless casts of literals, AND / OR / NOT. Text
 * functions, rounding, floats and overflow stay for the engine, whose semantics count. The type of
 * an expression never changes.
 */
final class ConstantFolder extends Rewrites.Deep {
  private final RexBuilder builder;
  private final CastFolder casts;
  private final TimeFolder times;

  ConstantFolder(RexBuilder builder) {
    this.builder = requireNonNull(builder, "builder is null");
    this.casts = new CastFolder(builder);
    this.times = new TimeFolder(builder);
  }

  @Override
  public RexNode visitCall(RexCall call) {
    RexCall visited = visitOperands(call);
    return fold(visited)
        .map(folded -> TypedLiterals.withType(builder, folded, call.getType()))
        .orElse(visited);
  }

  private Optional<RexNode> fold(RexCall call) {
    return switch (call.getKind()) {
      case PLUS, MINUS -> times.fold(call).or(() -> arithmetic(call));
      case TIMES, DIVIDE, CHECKED_PLUS, CHECKED_MINUS, CHECKED_TIMES, CHECKED_DIVIDE ->
          times.foldMultiple(call).or(() -> arithmetic(call));
      case MINUS_PREFIX, CHECKED_MINUS_PREFIX ->
          exact(call.operands.get(0)).flatMap(value -> number(value.negate(), call.getType()));
      case EQUALS, NOT_EQUALS, LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL ->
          comparison(call);
      case AND -> junction(call, false);
      case OR -> junction(call, true);
      case NOT -> negation(call);
      case IS_NOT_NULL -> notNull(call);
      case CAST -> casts.fold(call);
      default -> Optional.empty();
    };
  }

  private Optional<RexNode> arithmetic(RexCall call) {
    if (call.operands.size() != 2 || !SqlTypeUtil.isExactNumeric(call.getType())) {
      return Optional.empty();
    }
    Optional<BigDecimal> left = exact(call.operands.get(0));
    Optional<BigDecimal> right = exact(call.operands.get(1));
    if (left.isEmpty() || right.isEmpty()) {
      return Optional.empty();
    }
    return compute(call.getKind(), left.get(), right.get(), call.getType())
        .flatMap(value -> number(value, call.getType()));
  }

  private static Optional<BigDecimal> compute(
      SqlKind kind, BigDecimal left, BigDecimal right, RelDataType type) {
    return switch (kind) {
      case PLUS, CHECKED_PLUS -> Optional.of(left.add(right));
      case MINUS, CHECKED_MINUS -> Optional.of(left.subtract(right));
      case TIMES, CHECKED_TIMES -> Optional.of(left.multiply(right));
      case DIVIDE, CHECKED_DIVIDE ->
          SqlTypeUtil.isDecimal(type) || right.signum() == 0
              ? Optional.empty()
              : Optional.of(new BigDecimal(left.toBigInteger().divide(right.toBigInteger())));
      default -> Optional.empty();
    };
  }

  /** A literal of an exact type, absent where the value does not fit it exactly. */
  private Optional<RexNode> number(BigDecimal value, RelDataType type) {
    return CastFolder.fitExact(value, type)
        .map(fitted -> builder.makeExactLiteral(fitted, casts.notNull(type)));
  }

  private static Optional<BigDecimal> exact(RexNode node) {
    return TypedLiterals.of(node)
        .filter(literal -> !literal.isNull() && SqlTypeUtil.isExactNumeric(literal.getType()))
        .map(literal -> literal.getValueAs(BigDecimal.class));
  }

  private Optional<RexNode> comparison(RexCall call) {
    if (call.getKind() == SqlKind.EQUALS && isSameColumn(call)) {
      RexNode column = call.operands.get(0);
      return Optional.of(
          column.getType().isNullable()
              ? builder.makeCall(SqlStdOperatorTable.IS_NOT_NULL, column)
              : builder.makeLiteral(true));
    }
    Optional<BigDecimal> left = ordinal(call.operands.get(0));
    Optional<BigDecimal> right = ordinal(call.operands.get(1));
    if (left.isEmpty() || right.isEmpty()) {
      return Optional.empty();
    }
    int order = left.get().compareTo(right.get());
    boolean truth =
        switch (call.getKind()) {
          case EQUALS -> order == 0;
          case NOT_EQUALS -> order != 0;
          case LESS_THAN -> order < 0;
          case LESS_THAN_OR_EQUAL -> order <= 0;
          case GREATER_THAN -> order > 0;
          default -> order >= 0;
        };
    return Optional.of(builder.makeLiteral(truth));
  }

  /** {@code x = x}, which decorrelation leaves: SQL's NaN equals itself, so only NULL fails. */
  private static boolean isSameColumn(RexCall call) {
    return call.operands.get(0) instanceof RexInputRef
        && call.operands.get(0).equals(call.operands.get(1));
  }

  private static Optional<BigDecimal> ordinal(RexNode node) {
    Optional<BigDecimal> number = exact(node);
    if (number.isPresent()) {
      return number;
    }
    return TypedLiterals.of(node)
        .filter(literal -> !literal.isNull())
        .filter(literal -> literal.getType().getSqlTypeName() == SqlTypeName.DATE)
        .map(literal -> BigDecimal.valueOf(literal.getValueAs(Integer.class)));
  }

  /** AND (dominant FALSE) or OR (dominant TRUE) without its neutral operands. */
  private Optional<RexNode> junction(RexCall call, boolean dominant) {
    List<RexNode> kept = new ArrayList<>();
    for (RexNode operand : call.operands) {
      Optional<Boolean> truth = truth(operand);
      if (truth.isEmpty()) {
        kept.add(operand);
      } else if (truth.get() == dominant) {
        return Optional.of(builder.makeLiteral(dominant));
      }
    }
    if (kept.size() == call.operands.size()) {
      return Optional.empty();
    } else if (kept.isEmpty()) {
      return Optional.of(builder.makeLiteral(!dominant));
    }
    return Optional.of(
        kept.size() == 1
            ? kept.get(0)
            : builder.makeCall(call.getParserPosition(), call.getType(), call.getOperator(), kept));
  }

  private Optional<RexNode> notNull(RexCall call) {
    RexNode operand = call.operands.get(0);
    return operand instanceof RexInputRef && !operand.getType().isNullable()
        ? Optional.of(builder.makeLiteral(true))
        : Optional.empty();
  }

  private Optional<RexNode> negation(RexCall call) {
    return truth(call.operands.get(0)).map(truth -> builder.makeLiteral(!truth));
  }

  /** The value of a boolean literal that is not NULL. */
  static Optional<Boolean> truth(RexNode node) {
    return TypedLiterals.of(node)
        .filter(literal -> literal.getType().getSqlTypeName() == SqlTypeName.BOOLEAN)
        .filter(literal -> !literal.isNull())
        .map(RexLiteral::booleanValue);
  }
}
