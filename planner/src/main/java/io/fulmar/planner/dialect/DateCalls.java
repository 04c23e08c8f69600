package io.fulmar.planner.dialect;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.planner.name.NearNames;
import io.fulmar.planner.parse.Positions;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.avatica.util.TimeUnit;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * The date functions of several dialects. A part is a word or a string, first or last; all come
 * down to DATE_TRUNC(part, time), DATE_PART(part, time), TIMESTAMP_DIFF(part, from, to) and
 * TIMESTAMPADD.
 */
final class DateCalls {
  private static final Set<String> UNITS =
      Set.of(
          "MICROSECOND",
          "MILLISECOND",
          "SECOND",
          "MINUTE",
          "HOUR",
          "DAY",
          "WEEK",
          "MONTH",
          "QUARTER",
          "YEAR");

  private static final Set<String> PARTS =
      Set.of(
          "nanosecond",
          "microsecond",
          "millisecond",
          "second",
          "minute",
          "hour",
          "day",
          "week",
          "month",
          "quarter",
          "year",
          "decade",
          "century",
          "millennium",
          "dow",
          "isodow",
          "doy",
          "isoyear",
          "epoch");

  private final Positions positions;

  DateCalls(Positions positions) {
    this.positions = requireNonNull(positions, "positions is null");
  }

  /** The call in the language's own functions; empty where it is none of dates. */
  Optional<SqlNode> rewrite(SqlCall call) {
    if (!(call.getOperator() instanceof SqlFunction function)) {
      return Optional.empty();
    }
    return Optional.ofNullable(
        switch (function.getName().toUpperCase(Locale.ROOT) + "/" + call.operandCount()) {
          case "DATE_TRUNC/2",
              "DATETRUNC/2",
              "TIMESTAMP_TRUNC/2",
              "DATETIME_TRUNC/2",
              "TIME_TRUNC/2" ->
              truncate(call);
          case "DATE_PART/2", "DATEPART/2" ->
              function(call, "DATE_PART", part(call.operand(0)), call.operand(1));
          case "DATE_DIFF/3", "DATEDIFF/3" -> difference(call);
          case "DATEDIFF/2" -> function(call, "DATE_DIFF_DAYS", call.operand(0), call.operand(1));
          case "TIMESTAMPDIFF/3" ->
              function(
                  call, "TIMESTAMP_DIFF", part(call.operand(0)), call.operand(1), call.operand(2));
          case "TIMESTAMP_DIFF/3", "DATETIME_DIFF/3", "TIME_DIFF/3" -> difference(call);
          case "DATE_ADD/2", "TIMESTAMP_ADD/2", "DATETIME_ADD/2", "TIME_ADD/2" ->
              SqlStdOperatorTable.PLUS.createCall(call.getParserPosition(), call.getOperandList());
          case "DATE_SUB/2", "TIMESTAMP_SUB/2", "DATETIME_SUB/2", "TIME_SUB/2" ->
              SqlStdOperatorTable.MINUS.createCall(call.getParserPosition(), call.getOperandList());
          case "DATE_ADD/3", "DATEADD/3", "TIMESTAMPADD/3" -> add(call);
          default -> null;
        });
  }

  /** (part, time) or (time, PART). */
  private SqlNode truncate(SqlCall call) {
    boolean partLast = call.operand(1) instanceof SqlIntervalQualifier && !isText(call.operand(0));
    return partLast
        ? function(call, "DATE_TRUNC", part(call.operand(1)), call.operand(0))
        : function(call, "DATE_TRUNC", part(call.operand(0)), expression(call.operand(1)));
  }

  /** (part, from, to), or BigQuery's (to, from, PART). */
  private SqlNode difference(SqlCall call) {
    if (isPart(call.operand(0))) {
      return function(
          call,
          "TIMESTAMP_DIFF",
          part(call.operand(0)),
          call.operand(1),
          expression(call.operand(2)));
    }
    return function(
        call, "TIMESTAMP_DIFF", part(call.operand(2)), call.operand(1), call.operand(0));
  }

  /** (part, count, time). */
  private SqlNode add(SqlCall call) {
    String unit = partName(call.operand(0)).toUpperCase(Locale.ROOT);
    if (!UNITS.contains(unit)) {
      return call;
    }
    SqlNode interval =
        IntervalCalls.of(call.operand(1), TimeUnit.valueOf(unit), call.getParserPosition());
    return SqlStdOperatorTable.PLUS.createCall(call.getParserPosition(), call.operand(2), interval);
  }

  private static SqlNode function(SqlCall call, String name, SqlNode... operands) {
    return FunctionCalls.call(call.getParserPosition(), name, List.of(operands));
  }

  private boolean isPart(SqlNode node) {
    return node instanceof SqlIntervalQualifier
        || isText(node)
        || UNITS.contains(partName(node).toUpperCase(Locale.ROOT));
  }

  private static boolean isText(SqlNode node) {
    return node instanceof SqlLiteral literal && literal.getTypeName() == SqlTypeName.CHAR;
  }

  /**
   * The part as a string in lower case; an expression stays as it is.
   *
   * @throws FulmarException INVALID_ARGUMENT for a word that is no part
   */
  private SqlNode part(SqlNode node) {
    String name = partName(node).toLowerCase(Locale.ROOT);
    if (name.isEmpty()) {
      return node;
    }
    String singular = name.endsWith("s") ? name.substring(0, name.length() - 1) : name;
    String known = PARTS.contains(name) ? name : singular;
    if (!PARTS.contains(known)) {
      FulmarException error =
          new FulmarException(ErrorCode.INVALID_ARGUMENT, "No part of a time: \"" + name + "\"")
              .at(positions.of(node.getParserPosition()));
      throw NearNames.hint(name, PARTS).map(error::withHint).orElse(error);
    }
    return SqlLiteral.createCharString(known, node.getParserPosition());
  }

  private static String partName(SqlNode node) {
    if (node instanceof SqlIntervalQualifier qualifier) {
      return qualifier.timeFrameName == null ? qualifier.getUnit().name() : qualifier.timeFrameName;
    }
    if (isText(node)) {
      return ((SqlLiteral) node).getValueAs(String.class);
    }
    return node instanceof SqlIdentifier identifier && identifier.isSimple()
        ? identifier.getSimple()
        : "";
  }

  /** A column named like a unit, which the grammar took for the unit. */
  private SqlNode expression(SqlNode node) {
    SqlParserPos position = node.getParserPosition();
    return node instanceof SqlIntervalQualifier
        ? new SqlIdentifier(positions.text(position), position)
        : node;
  }
}
