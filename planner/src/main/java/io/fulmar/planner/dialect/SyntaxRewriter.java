package io.fulmar.planner.dialect;

import static java.util.Objects.requireNonNull;

import io.fulmar.planner.name.NamePart;
import io.fulmar.planner.parse.Positions;
import io.fulmar.planner.parse.SyntaxOperators;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJdbcFunctionCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlUnknownLiteral;
import org.apache.calcite.sql.fun.SqlLibraryOperators;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.util.SqlShuttle;

/**
 * Turns notations into what the validator knows: {@code x::type}, {@code AT TIME ZONE}, regular
 * expression operators, ISO timestamps, intervals of months and days, dialects' functions, and the
 * session's user and time into literals.
 */
public final class SyntaxRewriter extends SqlShuttle {
  private final SessionValues session;
  private final DateCalls dates;
  private final WindowFilters windows;

  public SyntaxRewriter(SessionValues session, Positions positions) {
    this.session = requireNonNull(session, "session is null");
    this.dates = new DateCalls(positions);
    this.windows = new WindowFilters(positions);
  }

  @Override
  public SqlNode visit(SqlLiteral literal) {
    return literal instanceof SqlUnknownLiteral unknown ? TimeLiterals.normalize(unknown) : literal;
  }

  @Override
  public SqlNode visit(SqlIdentifier identifier) {
    if (!identifier.isSimple() || NamePart.isQuoted(identifier, 0)) {
      return identifier;
    }
    return session
        .variable(identifier.getSimple(), identifier.getParserPosition())
        .orElse(identifier);
  }

  @Override
  public SqlNode visit(SqlCall call) {
    if (call.getOperandList().isEmpty() && call.getOperator() instanceof SqlFunction function) {
      Optional<SqlNode> value = session.function(function.getName(), call.getParserPosition());
      if (value.isPresent()) {
        return value.get();
      }
    }
    if (call.getKind() == SqlKind.AS) {
      return aliased(call);
    }
    SqlNode visited = super.visit(call);
    return visited instanceof SqlBasicCall changed ? rewrite(changed) : visited;
  }

  /** What follows the expression are names, not expressions. */
  private SqlNode aliased(SqlCall call) {
    SqlNode expression = call.operand(0).accept(this);
    if (expression == call.operand(0)) {
      return call;
    }
    List<SqlNode> operands = new ArrayList<>(call.getOperandList());
    operands.set(0, expression);
    return call.getOperator().createCall(call.getParserPosition(), operands);
  }

  private SqlNode rewrite(SqlBasicCall call) {
    if (call.getOperator() instanceof SqlJdbcFunctionCall) {
      return JdbcFunctions.rewrite(call).accept(this);
    }
    return switch (call.getKind()) {
      case PLUS, MINUS -> arithmetic(call);
      case OVER -> windows.rewrite(call);
      case RLIKE -> matches(call, call.getOperator().equals(SqlLibraryOperators.NOT_RLIKE));
      default -> other(call);
    };
  }

  private SqlNode other(SqlBasicCall call) {
    if (call.getOperator().equals(SqlLibraryOperators.INFIX_CAST)) {
      return SqlStdOperatorTable.CAST.createCall(call.getParserPosition(), call.getOperandList());
    }
    if (call.getOperator().equals(SqlStdOperatorTable.INTERVAL)) {
      return IntervalCalls.rewrite(call);
    }
    if (call.getOperator().equals(SyntaxOperators.AT_TIME_ZONE)) {
      return FunctionCalls.call(call.getParserPosition(), "AT_TIME_ZONE", call.getOperandList());
    }
    if (call.getOperator().equals(SqlStdOperatorTable.POSIX_REGEX_CASE_SENSITIVE)) {
      return matches(call, false);
    }
    if (call.getOperator().equals(SqlStdOperatorTable.NEGATED_POSIX_REGEX_CASE_SENSITIVE)) {
      return matches(call, true);
    }
    if (call.getOperator().equals(SqlStdOperatorTable.POSIX_REGEX_CASE_INSENSITIVE)) {
      return matchesIgnoringCase(call, false);
    }
    if (call.getOperator().equals(SqlStdOperatorTable.NEGATED_POSIX_REGEX_CASE_INSENSITIVE)) {
      return matchesIgnoringCase(call, true);
    }
    return dates.rewrite(call).orElseGet(() -> FunctionCalls.rewrite(call));
  }

  /** {@code x ± interval of months and seconds} is {@code x ± months ± seconds}. */
  private static SqlNode arithmetic(SqlBasicCall call) {
    if (call.operandCount() != 2 || !isMixed(call.operand(1))) {
      return call;
    }
    SqlCall mixed = call.operand(1);
    SqlNode months =
        call.getOperator().createCall(call.getParserPosition(), call.operand(0), mixed.operand(0));
    return call.getOperator().createCall(call.getParserPosition(), months, mixed.operand(1));
  }

  private static boolean isMixed(SqlNode node) {
    return node instanceof SqlCall call
        && call.getOperator().equals(SyntaxOperators.MIXED_INTERVAL);
  }

  private static SqlNode matches(SqlCall call, boolean negated) {
    return negate(
        FunctionCalls.call(call.getParserPosition(), "REGEXP_LIKE", call.getOperandList()),
        negated);
  }

  private static SqlNode matchesIgnoringCase(SqlCall call, boolean negated) {
    SqlNode flag = SqlLiteral.createCharString("i", call.getParserPosition());
    return negate(
        FunctionCalls.call(
            call.getParserPosition(),
            "REGEXP_LIKE",
            List.of(call.operand(0), call.operand(1), flag)),
        negated);
  }

  private static SqlNode negate(SqlNode condition, boolean negated) {
    return negated
        ? SqlStdOperatorTable.NOT.createCall(condition.getParserPosition(), condition)
        : condition;
  }
}
