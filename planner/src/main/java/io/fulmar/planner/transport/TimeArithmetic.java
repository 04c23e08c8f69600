package io.fulmar.planner.transport;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.engine.plan.Cast;
import io.fulmar.engine.plan.DataType;
import io.fulmar.engine.plan.Expr;
import io.fulmar.engine.plan.Literal;
import io.fulmar.engine.plan.ScalarFunction;
import io.fulmar.engine.plan.TimeUnit;
import io.fulmar.engine.plan.TimestampType;
import io.fulmar.planner.logical.ValueTypes;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** Plus, minus and times where an interval takes part. */
final class TimeArithmetic {
  private static final DataType TIMESTAMP_MICROS =
      DataType.newBuilder()
          .setTimestamp(TimestampType.newBuilder().setUnit(TimeUnit.MICROS))
          .build();

  private final ExprEncoder expressions;

  TimeArithmetic(ExprEncoder expressions) {
    this.expressions = requireNonNull(expressions, "expressions is null");
  }

  /** The call, absent where it is about numbers only. */
  Optional<Expr> encode(RexCall call) {
    if (call.operands.size() != 2) {
      return Optional.empty();
    }
    RexNode left = call.operands.get(0);
    RexNode right = call.operands.get(1);
    boolean leftInterval = SqlTypeUtil.isInterval(left.getType());
    boolean rightInterval = SqlTypeUtil.isInterval(right.getType());
    if (leftInterval && rightInterval) {
      return Optional.of(intervals(call));
    } else if (call.getKind() == SqlKind.TIMES && leftInterval) {
      return Optional.of(multiple(call.getType(), left, right));
    } else if (call.getKind() == SqlKind.TIMES && rightInterval) {
      return Optional.of(multiple(call.getType(), right, left));
    } else if (rightInterval) {
      return Optional.of(moved(call, left, right, call.getKind() == SqlKind.MINUS));
    } else if (leftInterval && call.getKind() == SqlKind.PLUS) {
      return Optional.of(moved(call, right, left, false));
    } else if (SqlTypeUtil.isInterval(call.getType()) && call.getKind() == SqlKind.MINUS) {
      return Optional.of(difference(call, left, right));
    }
    return Optional.empty();
  }

  private Expr intervals(RexCall call) {
    ScalarFunction function =
        call.getKind() == SqlKind.PLUS ? ScalarFunction.ADD : ScalarFunction.SUBTRACT;
    return expressions.call(call.getType(), function, expressions.visitAll(call.operands));
  }

  private Expr multiple(RelDataType type, RexNode interval, RexNode factor) {
    if (!SqlTypeUtil.isIntType(factor.getType())) {
      throw new FulmarException(
          ErrorCode.UNSUPPORTED_SQL, "An interval is multiplied by integers only");
    }
    return expressions.call(
        type,
        ScalarFunction.INTERVAL_MULTIPLY,
        List.of(expressions.visit(interval), bigint(factor)));
  }

  private Expr bigint(RexNode whole) {
    Expr encoded = expressions.visit(whole);
    if (whole.getType().getSqlTypeName() == SqlTypeName.BIGINT) {
      return encoded;
    }
    return Expr.newBuilder()
        .setType(expressions.bigint(0).getType())
        .setCast(Cast.newBuilder().setInput(encoded))
        .build();
  }

  private Expr moved(RexCall call, RexNode time, RexNode interval, boolean back) {
    RelDataType type = call.getType();
    Expr start = expressions.visit(time);
    if (!ValueTypes.same(time.getType(), type)) {
      start = expressions.typed(type).setCast(Cast.newBuilder().setInput(start)).build();
    }
    Expr amount = expressions.visit(interval);
    ScalarFunction function =
        SqlTypeName.YEAR_INTERVAL_TYPES.contains(interval.getType().getSqlTypeName())
            ? ScalarFunction.DATE_ADD_MONTHS
            : ScalarFunction.DATE_ADD_MICROS;
    return expressions.call(
        type, function, List.of(start, back ? negated(amount, interval.getType()) : amount));
  }

  private Expr negated(Expr interval, RelDataType type) {
    if (interval.hasLiteral() && !interval.getLiteral().getNull()) {
      Literal value =
          LiteralEncoder.ofInteger(Math.negateExact(interval.getLiteral().getInteger()));
      return interval.toBuilder().setLiteral(value).build();
    }
    return expressions.call(
        type, ScalarFunction.INTERVAL_MULTIPLY, List.of(interval, expressions.bigint(-1)));
  }

  private Expr difference(RexCall call, RexNode left, RexNode right) {
    if (SqlTypeName.YEAR_INTERVAL_TYPES.contains(call.getType().getSqlTypeName())) {
      throw new FulmarException(
          ErrorCode.UNSUPPORTED_SQL, "A difference of times in years or months is not supported");
    }
    return expressions.call(
        call.getType(), ScalarFunction.TIMESTAMP_MINUS, List.of(timestamp(left), timestamp(right)));
  }

  private Expr timestamp(RexNode time) {
    Expr encoded = expressions.visit(time);
    if (time.getType().getSqlTypeName() != SqlTypeName.DATE) {
      return encoded;
    }
    return Expr.newBuilder()
        .setType(TIMESTAMP_MICROS)
        .setCast(Cast.newBuilder().setInput(encoded))
        .build();
  }
}
