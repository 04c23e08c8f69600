package io.fulmar.planner.statement;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.error.SourcePosition;
import io.fulmar.planner.Command;
import io.fulmar.planner.parse.Positions;
import io.fulmar.planner.validate.SystemTables;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;

/** CALL system.procedure(literal, name => literal, …). */
final class ProcedureCalls {
  private ProcedureCalls() {}

  static Command.Call of(SqlCall call, Positions positions) {
    SqlIdentifier name = ((SqlFunction) call.getOperator()).getNameAsId();
    SourcePosition position = positions.of(name.getParserPosition());
    if (name.names.size() != 2 || !name.names.get(0).equalsIgnoreCase(SystemTables.CATALOG)) {
      throw new FulmarException(ErrorCode.UNKNOWN_PROCEDURE, "No procedure \"" + name + "\" exists")
          .at(position)
          .withHint("Procedures are in system: CALL system.register_table(…).");
    }
    List<Command.Argument> arguments = new ArrayList<>();
    for (SqlNode operand : call.getOperandList()) {
      arguments.add(argument(operand, positions));
    }
    return new Command.Call(name.names.get(1).toLowerCase(Locale.ROOT), arguments, position);
  }

  private static Command.Argument argument(SqlNode operand, Positions positions) {
    if (operand.getKind() != SqlKind.ARGUMENT_ASSIGNMENT) {
      return new Command.Argument(
          Optional.empty(), value(operand, positions), positions.of(operand.getParserPosition()));
    }
    SqlCall assignment = (SqlCall) operand;
    SqlIdentifier name = assignment.operand(1);
    return new Command.Argument(
        Optional.of(name.getSimple().toLowerCase(Locale.ROOT)),
        value(assignment.operand(0), positions),
        positions.of(operand.getParserPosition()));
  }

  private static Optional<Object> value(SqlNode node, Positions positions) {
    if (node instanceof SqlLiteral literal) {
      return literal(literal, positions);
    }
    if (node.getKind() == SqlKind.MINUS_PREFIX) {
      Optional<Object> positive = value(((SqlCall) node).operand(0), positions);
      if (positive.isPresent() && positive.get() instanceof Long whole) {
        return Optional.of(-whole);
      }
      if (positive.isPresent() && positive.get() instanceof BigDecimal number) {
        return Optional.of(number.negate());
      }
    }
    throw notLiteral(node, positions);
  }

  private static Optional<Object> literal(SqlLiteral literal, Positions positions) {
    return switch (literal.getTypeName()) {
      case NULL -> Optional.empty();
      case CHAR, VARCHAR -> Optional.of(literal.getValueAs(String.class));
      case BOOLEAN -> Optional.of(literal.booleanValue());
      case DECIMAL, DOUBLE -> Optional.of(number(literal.bigDecimalValue()));
      default -> throw notLiteral(literal, positions);
    };
  }

  private static Object number(BigDecimal value) {
    boolean fitsLong = value.scale() <= 0 && value.toBigInteger().bitLength() < Long.SIZE;
    if (fitsLong) {
      return value.longValue();
    }
    return value;
  }

  private static FulmarException notLiteral(SqlNode node, Positions positions) {
    return new FulmarException(
            ErrorCode.INVALID_STATEMENT,
            "An argument of CALL is a string, a number, TRUE, FALSE or NULL")
        .at(positions.of(node.getParserPosition()));
  }
}
