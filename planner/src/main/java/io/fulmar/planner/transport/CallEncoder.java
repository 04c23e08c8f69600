package io.fulmar.planner.transport;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.engine.plan.Cast;
import io.fulmar.engine.plan.Expr;
import io.fulmar.engine.plan.FieldAccess;
import io.fulmar.engine.plan.ScalarFunction;
import io.fulmar.planner.function.Functions;
import io.fulmar.planner.logical.TypedLiterals;
import io.fulmar.planner.logical.ValueTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.calcite.avatica.util.TimeUnitRange;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlItemOperator;
import org.apache.calcite.sql.fun.SqlLikeOperator;
import org.apache.calcite.sql.fun.SqlPosixRegexOperator;
import org.apache.calcite.sql.fun.SqlTrimFunction;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** Calls: those whose operands have another form in the plan language, then the function table. */
final class CallEncoder {
  private static final int MICROS = 6;
  private static final int MILLIS = 3;

  private final ExprEncoder expressions;
  private final NodeIds nodes;
  private final TimeArithmetic times;

  CallEncoder(ExprEncoder expressions, NodeIds nodes) {
    this.expressions = requireNonNull(expressions, "expressions is null");
    this.nodes = requireNonNull(nodes, "nodes is null");
    this.times = new TimeArithmetic(expressions);
  }

  Expr encode(RexCall call) {
    return switch (call.getKind()) {
      case CAST -> cast(call, false);
      case SAFE_CAST -> cast(call, true);
      case PLUS, MINUS, TIMES -> times.encode(call).orElseGet(() -> function(call));
      case EXTRACT -> extract(call);
      case FLOOR, CEIL -> rounding(call);
      case TRIM -> trim(call);
      case LIKE -> like(call);
      case SIMILAR -> similar(call);
      case ITEM -> item(call);
      case POSITION -> position(call);
      case RLIKE -> regex(call, false);
      case POSIX_REGEX_CASE_SENSITIVE -> regex(call, false);
      case POSIX_REGEX_CASE_INSENSITIVE -> regex(call, true);
      case ROW -> named(call, ScalarFunction.ROW);
      case ARRAY_VALUE_CONSTRUCTOR -> named(call, ScalarFunction.ARRAY);
      case MAP_VALUE_CONSTRUCTOR -> named(call, ScalarFunction.MAP_OF);
      case PLUS_PREFIX -> expressions.visit(call.operands.get(0));
      default -> function(call);
    };
  }

  private Expr named(RexCall call, ScalarFunction function) {
    return expressions.call(call.getType(), function, expressions.visitAll(call.operands));
  }

  private Expr function(RexCall call) {
    ScalarFunction function =
        Functions.scalar(call.getOperator()).orElseThrow(() -> unsupported(call));
    return named(call, function);
  }

  private FulmarException unsupported(RexCall call) {
    return nodes.at(
        call.getParserPosition(),
        new FulmarException(
            ErrorCode.UNSUPPORTED_SQL,
            "The operator " + call.getOperator().getName() + " is not supported"));
  }

  private Expr cast(RexCall call, boolean safe) {
    if (call.operands.size() > 1) {
      throw new FulmarException(ErrorCode.UNSUPPORTED_SQL, "CAST with FORMAT is not supported");
    }
    RexNode operand = call.operands.get(0);
    RelDataType source = operand.getType();
    RelDataType target = call.getType();
    if (SqlTypeUtil.isInterval(source) != SqlTypeUtil.isInterval(target)
        && (SqlTypeUtil.isNumeric(source) || SqlTypeUtil.isNumeric(target))) {
      throw new FulmarException(
          ErrorCode.UNSUPPORTED_SQL, "CAST from " + source + " to " + target + " is not supported");
    }
    Expr input = expressions.visit(operand);
    Expr converted =
        ValueTypes.same(source, target)
            ? input
            : expressions
                .typed(target)
                .setCast(Cast.newBuilder().setInput(input).setSafe(safe))
                .build();
    return limited(converted, source, target);
  }

  /** Cuts what a cast to a shorter text or a coarser time has to lose. */
  private Expr limited(Expr value, RelDataType source, RelDataType target) {
    int precision = target.getPrecision();
    if (SqlTypeUtil.isCharacter(target) && isShorter(source, precision)) {
      return expressions.call(
          target,
          ScalarFunction.SUBSTRING,
          List.of(value, expressions.bigint(1), expressions.bigint(precision)));
    }
    boolean coarser =
        isTimestamp(target)
            && precision < MICROS
            && (SqlTypeUtil.isCharacter(source)
                || (isTimestamp(source) && source.getPrecision() > precision));
    if (!coarser) {
      return value;
    }
    if (precision != 0 && precision != MILLIS) {
      throw new FulmarException(
          ErrorCode.UNSUPPORTED_SQL,
          "CAST to " + target + " is not supported: cut to seconds, milliseconds or finer units");
    }
    String part = precision == 0 ? "second" : "millisecond";
    return expressions.call(
        target, ScalarFunction.DATE_TRUNC, List.of(expressions.text(part), value));
  }

  private static boolean isShorter(RelDataType source, int length) {
    if (length == RelDataType.PRECISION_NOT_SPECIFIED || length == Integer.MAX_VALUE) {
      return false;
    }
    int had = SqlTypeUtil.isCharacter(source) ? source.getPrecision() : -1;
    return had < 0 || had > length;
  }

  private static boolean isTimestamp(RelDataType type) {
    return type.getSqlTypeName() == SqlTypeName.TIMESTAMP
        || type.getSqlTypeName() == SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE;
  }

  private Expr extract(RexCall call) {
    return expressions.call(
        call.getType(),
        ScalarFunction.EXTRACT,
        List.of(part(call, call.operands.get(0)), expressions.visit(call.operands.get(1))));
  }

  private Expr part(RexCall call, RexNode flag) {
    if (!(flag instanceof RexLiteral literal)) {
      throw unsupported(call);
    }
    TimeUnitRange unit = literal.getValueAs(TimeUnitRange.class);
    String name = unit == null ? String.valueOf(literal.getValueAs(String.class)) : unit.name();
    return expressions.text(name.toLowerCase(Locale.ROOT));
  }

  /** FLOOR and CEIL of numbers; FLOOR of a time to a unit. */
  private Expr rounding(RexCall call) {
    if (call.operands.size() == 1) {
      return named(
          call, call.getKind() == SqlKind.FLOOR ? ScalarFunction.FLOOR : ScalarFunction.CEIL);
    }
    if (call.getKind() == SqlKind.CEIL) {
      throw new FulmarException(ErrorCode.UNSUPPORTED_SQL, "CEIL to a time unit is not supported");
    }
    return expressions.call(
        call.getType(),
        ScalarFunction.DATE_TRUNC,
        List.of(part(call, call.operands.get(1)), expressions.visit(call.operands.get(0))));
  }

  private Expr trim(RexCall call) {
    SqlTrimFunction.Flag flag =
        ((RexLiteral) call.operands.get(0)).getValueAs(SqlTrimFunction.Flag.class);
    ScalarFunction function =
        switch (requireNonNull(flag, "flag is null")) {
          case BOTH -> ScalarFunction.TRIM;
          case LEADING -> ScalarFunction.LTRIM;
          case TRAILING -> ScalarFunction.RTRIM;
        };
    return expressions.call(
        call.getType(),
        function,
        List.of(expressions.visit(call.operands.get(2)), expressions.visit(call.operands.get(1))));
  }

  private Expr position(RexCall call) {
    if (call.operands.size() != 2) {
      throw new FulmarException(ErrorCode.UNSUPPORTED_SQL, "POSITION with FROM is not supported");
    }
    return named(call, ScalarFunction.POSITION);
  }

  private Expr regex(RexCall call, boolean ignoreCase) {
    List<Expr> args = new ArrayList<>(expressions.visitAll(call.operands.subList(0, 2)));
    if (ignoreCase) {
      args.add(expressions.text("i"));
    }
    boolean negated =
        (call.getOperator() instanceof SqlLikeOperator like && like.isNegated())
            || (call.getOperator() instanceof SqlPosixRegexOperator regex && regex.isNegated());
    return negatedIf(
        negated, call, expressions.call(call.getType(), ScalarFunction.REGEXP_LIKE, args));
  }

  private Expr like(RexCall call) {
    if (!(call.getOperator() instanceof SqlLikeOperator operator)) {
      return function(call);
    }
    List<Expr> args = new ArrayList<>(expressions.visitAll(call.operands.subList(0, 2)));
    Optional<String> pattern = text(call.operands.get(1));
    Optional<String> escape = escape(call);
    if (pattern.isPresent()) {
      args.set(1, expressions.text(LikePattern.withBackslash(pattern.get(), escape)));
    } else if (escape.isPresent() && !escape.get().equals("\\") && !isNull(call.operands.get(1))) {
      throw new FulmarException(
          ErrorCode.UNSUPPORTED_SQL,
          "LIKE with ESCAPE '" + escape.get() + "' needs a pattern that is a literal");
    }
    ScalarFunction function =
        operator.isCaseSensitive() ? ScalarFunction.LIKE : ScalarFunction.ILIKE;
    return negatedIf(operator.isNegated(), call, expressions.call(call.getType(), function, args));
  }

  private Expr similar(RexCall call) {
    Optional<String> pattern = text(call.operands.get(1));
    if (pattern.isEmpty()) {
      throw new FulmarException(
          ErrorCode.UNSUPPORTED_SQL, "SIMILAR TO needs a pattern that is a literal");
    }
    String regex = SimilarPattern.toRegex(pattern.get(), escape(call));
    Expr matched =
        expressions.call(
            call.getType(),
            ScalarFunction.SIMILAR_TO,
            List.of(expressions.visit(call.operands.get(0)), expressions.text(regex)));
    boolean negated =
        call.getOperator() instanceof SqlLikeOperator operator && operator.isNegated();
    return negatedIf(negated, call, matched);
  }

  private Expr negatedIf(boolean negated, RexCall call, Expr condition) {
    return negated
        ? expressions.call(call.getType(), ScalarFunction.NOT, List.of(condition))
        : condition;
  }

  private static Optional<String> escape(RexCall call) {
    if (call.operands.size() < 3) {
      return Optional.empty();
    }
    Optional<String> escape = text(call.operands.get(2));
    if (escape.isEmpty()) {
      throw new FulmarException(
          ErrorCode.UNSUPPORTED_SQL, "ESCAPE needs a character that is a literal");
    }
    return escape;
  }

  private static Optional<String> text(RexNode node) {
    return TypedLiterals.of(node)
        .filter(literal -> !literal.isNull())
        .map(literal -> literal.getValueAs(String.class));
  }

  private static boolean isNull(RexNode node) {
    return TypedLiterals.of(node).map(RexLiteral::isNull).orElse(false);
  }

  private Expr item(RexCall call) {
    RexNode collection = call.operands.get(0);
    boolean fromOne = !(call.getOperator() instanceof SqlItemOperator item) || item.offset == 1;
    if (!fromOne) {
      throw unsupported(call);
    }
    return switch (collection.getType().getSqlTypeName()) {
      case ARRAY, MULTISET -> named(call, ScalarFunction.ARRAY_ELEMENT);
      case MAP -> named(call, ScalarFunction.MAP_VALUE);
      case ROW -> structItem(call, collection);
      default -> throw unsupported(call);
    };
  }

  /** {@code struct['field']}. */
  private Expr structItem(RexCall call, RexNode struct) {
    String name = text(call.operands.get(1)).orElseThrow(() -> unsupported(call));
    for (RelDataTypeField field : struct.getType().getFieldList()) {
      if (field.getName().equals(name)) {
        return expressions
            .typed(call.getType())
            .setField(
                FieldAccess.newBuilder()
                    .setInput(expressions.visit(struct))
                    .setOrdinal(field.getIndex()))
            .build();
      }
    }
    throw unsupported(call);
  }
}
