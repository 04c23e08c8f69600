package io.fulmar.reference.compute;

import java.util.List;
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.function.IntPredicate;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.apache.calcite.avatica.util.TimeUnitRange;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlLikeOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** Turns expressions into {@link Scalar}s. */
final class RexCompiler {
  private RexCompiler() {}

  /**
   * @throws io.fulmar.catalog.error.FulmarException UNSUPPORTED_SQL for an operator, or types of
   *     its operands, that are not computed here
   */
  static Scalar compile(RexNode node) {
    if (node instanceof RexInputRef reference) {
      int index = reference.getIndex();
      return row -> row[index];
    }
    if (node instanceof RexLiteral literal) {
      Object value = Literals.value(literal, literal.getType());
      return row -> value;
    }
    if (node instanceof RexFieldAccess access) {
      Scalar struct = compile(access.getReferenceExpr());
      int index = access.getField().getIndex();
      return row -> struct.eval(row) instanceof List<?> fields ? fields.get(index) : null;
    }
    if (node instanceof RexCall call) {
      return call(call);
    }
    throw Unsupported.of("the expression " + node);
  }

  private static List<Scalar> compileAll(List<RexNode> nodes) {
    return nodes.stream().map(RexCompiler::compile).toList();
  }

  private static Scalar call(RexCall call) {
    return switch (call.getKind()) {
      case AND -> junction(compileAll(call.operands), Boolean.FALSE);
      case OR -> junction(compileAll(call.operands), Boolean.TRUE);
      case NOT -> unary(call, value -> value == null ? null : !((Boolean) value));
      case IS_NULL -> unary(call, value -> value == null);
      case IS_NOT_NULL -> unary(call, value -> value != null);
      case IS_TRUE -> unary(call, Boolean.TRUE::equals);
      case IS_FALSE -> unary(call, Boolean.FALSE::equals);
      case IS_NOT_TRUE -> unary(call, value -> !Boolean.TRUE.equals(value));
      case IS_NOT_FALSE -> unary(call, value -> !Boolean.FALSE.equals(value));
      case EQUALS -> comparison(call, order -> order == 0);
      case NOT_EQUALS -> comparison(call, order -> order != 0);
      case LESS_THAN -> comparison(call, order -> order < 0);
      case LESS_THAN_OR_EQUAL -> comparison(call, order -> order <= 0);
      case GREATER_THAN -> comparison(call, order -> order > 0);
      case GREATER_THAN_OR_EQUAL -> comparison(call, order -> order >= 0);
      case IS_DISTINCT_FROM -> distinct(call, true);
      case IS_NOT_DISTINCT_FROM -> distinct(call, false);
      case CASE -> branches(compileAll(call.operands));
      case COALESCE -> coalesce(compileAll(call.operands));
      case CAST -> unary(call, Casts.of(call.operands.get(0).getType(), call.getType()));
      case LIKE -> like(call);
      case EXTRACT -> extract(call);
      case PLUS, MINUS, TIMES, DIVIDE, MOD -> arithmetic(call);
      case MINUS_PREFIX -> unary(call, value -> Arithmetic.negate(value, number(call)));
      case PLUS_PREFIX -> compile(call.operands.get(0));
      default -> named(call);
    };
  }

  private static Scalar named(RexCall call) {
    if (call.getOperator().equals(SqlStdOperatorTable.ABS)) {
      return unary(call, value -> Arithmetic.abs(value, number(call)));
    }
    if (call.getOperator().equals(SqlStdOperatorTable.CONCAT)
        && call.operands.stream().allMatch(operand -> SqlTypeUtil.isCharacter(operand.getType()))) {
      return binary(call, (left, right) -> (String) left + right);
    }
    if (call.getOperator().equals(SqlStdOperatorTable.CHAR_LENGTH)
        || call.getOperator().equals(SqlStdOperatorTable.CHARACTER_LENGTH)) {
      return unary(
          call,
          value ->
              value instanceof String text ? (long) text.codePointCount(0, text.length()) : null);
    }
    throw Unsupported.of("the operator " + call.getOperator().getName());
  }

  private static RelDataType number(RexCall call) {
    if (!SqlTypeUtil.isNumeric(call.getType())) {
      throw Unsupported.of(call.getOperator().getName() + " of type " + call.getType());
    }
    return call.getType();
  }

  private static Scalar unary(RexCall call, UnaryOperator<Object> operator) {
    Scalar operand = compile(call.operands.get(0));
    return row -> operator.apply(operand.eval(row));
  }

  /** NULL where an operand is. */
  private static Scalar binary(RexCall call, BinaryOperator<Object> operator) {
    Scalar left = compile(call.operands.get(0));
    Scalar right = compile(call.operands.get(1));
    return row -> {
      Object first = left.eval(row);
      Object second = right.eval(row);
      return first == null || second == null ? null : operator.apply(first, second);
    };
  }

  /** AND decides at the first FALSE, OR at the first TRUE; else a NULL makes it NULL. */
  private static Scalar junction(List<Scalar> operands, Boolean deciding) {
    return row -> {
      Object result = !deciding;
      for (Scalar operand : operands) {
        Object value = operand.eval(row);
        if (deciding.equals(value)) {
          return deciding;
        }
        result = value == null ? null : result;
      }
      return result;
    };
  }

  private static Scalar comparison(RexCall call, IntPredicate wanted) {
    checkComparable(call);
    return binary(call, (left, right) -> wanted.test(Values.compare(left, right)));
  }

  private static void checkComparable(RexCall call) {
    RelDataType left = call.operands.get(0).getType();
    RelDataType right = call.operands.get(1).getType();
    boolean numbers = SqlTypeUtil.isExactNumeric(left) && SqlTypeUtil.isExactNumeric(right);
    boolean decimals = SqlTypeUtil.isDecimal(left) == SqlTypeUtil.isDecimal(right);
    boolean nulls =
        left.getSqlTypeName() == SqlTypeName.NULL || right.getSqlTypeName() == SqlTypeName.NULL;
    boolean same = io.fulmar.planner.logical.ValueTypes.same(left, right);
    if (left.isStruct()
        || left.getComponentType() != null
        || left.getKeyType() != null
        || !(nulls || same || (numbers && decimals))) {
      throw Unsupported.of("comparisons of " + left + " and " + right);
    }
  }

  private static Scalar distinct(RexCall call, boolean wanted) {
    checkComparable(call);
    Scalar left = compile(call.operands.get(0));
    Scalar right = compile(call.operands.get(1));
    return row -> {
      Object first = left.eval(row);
      Object second = right.eval(row);
      boolean equal =
          first == null || second == null ? first == second : Values.compare(first, second) == 0;
      return equal != wanted;
    };
  }

  private static Scalar branches(List<Scalar> operands) {
    return row -> {
      for (int i = 0; i + 1 < operands.size(); i += 2) {
        if (operands.get(i).holds(row)) {
          return operands.get(i + 1).eval(row);
        }
      }
      return operands.get(operands.size() - 1).eval(row);
    };
  }

  private static Scalar coalesce(List<Scalar> operands) {
    return row -> {
      for (Scalar operand : operands) {
        Object value = operand.eval(row);
        if (value != null) {
          return value;
        }
      }
      return null;
    };
  }

  private static Scalar arithmetic(RexCall call) {
    RelDataType type = number(call);
    SqlKind kind = call.getKind();
    boolean numbers =
        call.operands.stream().allMatch(operand -> SqlTypeUtil.isNumeric(operand.getType()));
    if (!numbers || call.operands.size() != 2) {
      throw Unsupported.of("the operator " + call.getOperator().getName() + " of times");
    }
    Scalar left = operand(call.operands.get(0), type);
    Scalar right = operand(call.operands.get(1), type);
    return row -> Arithmetic.binary(kind, left.eval(row), right.eval(row), type);
  }

  /** Floats in the result's width; the rest as it stands. */
  private static Scalar operand(RexNode node, RelDataType type) {
    Scalar compiled = compile(node);
    if (!SqlTypeUtil.isApproximateNumeric(type)) {
      return compiled;
    }
    UnaryOperator<Object> cast = Casts.of(node.getType(), type);
    return row -> cast.apply(compiled.eval(row));
  }

  private static Scalar like(RexCall call) {
    boolean plain =
        call.getOperator() instanceof SqlLikeOperator operator && operator.isCaseSensitive();
    if (!plain || !(call.operands.get(1) instanceof RexLiteral pattern) || pattern.isNull()) {
      throw Unsupported.of("this form of LIKE");
    }
    Optional<String> escape =
        call.operands.size() < 3
            ? Optional.empty()
            : Optional.of(((RexLiteral) call.operands.get(2)).getValueAs(String.class));
    Pattern compiled = Like.compile(pattern.getValueAs(String.class), escape);
    boolean negated = ((SqlLikeOperator) call.getOperator()).isNegated();
    return unary(
        call,
        value -> value == null ? null : compiled.matcher((String) value).matches() != negated);
  }

  private static Scalar extract(RexCall call) {
    RelDataType source = call.operands.get(1).getType();
    if (!(call.operands.get(0) instanceof RexLiteral unit)
        || source.getSqlTypeName() != SqlTypeName.TIMESTAMP
            && source.getSqlTypeName() != SqlTypeName.DATE) {
      throw Unsupported.of("EXTRACT from " + source);
    }
    UnaryOperator<Object> part = TimeParts.of(unit.getValueAs(TimeUnitRange.class), source);
    Scalar time = compile(call.operands.get(1));
    return row -> {
      Object value = time.eval(row);
      return value == null ? null : part.apply(value);
    };
  }
}
