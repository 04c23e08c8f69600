package io.fulmar.planner.dialect;

import io.fulmar.planner.name.NamePart;
import io.fulmar.planner.parse.DistinctOnSelect;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlWindow;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * Turns {@code SELECT DISTINCT ON (keys) … ORDER BY order}, in place, into {@code SELECT … QUALIFY
 * ROW_NUMBER() OVER (PARTITION BY keys ORDER BY order) = 1 ORDER BY order}.
 */
public final class DistinctOn {
  private DistinctOn() {}

  /** Rewrites every such query below {@code node}. */
  public static void apply(SqlNode node) {
    if (node instanceof SqlOrderBy ordered && ordered.query instanceof DistinctOnSelect select) {
      rank(select, ordered.orderList);
      applyToOperands(select);
    } else if (node instanceof DistinctOnSelect select) {
      rank(select, SqlNodeList.EMPTY);
      applyToOperands(select);
    } else if (node instanceof SqlCall call) {
      applyToOperands(call);
    } else if (node instanceof SqlNodeList list) {
      list.forEach(DistinctOn::applyTo);
    }
  }

  private static void applyToOperands(SqlCall call) {
    call.getOperandList().forEach(DistinctOn::applyTo);
  }

  private static void applyTo(SqlNode operand) {
    if (operand != null) {
      apply(operand);
    }
  }

  private static void rank(DistinctOnSelect select, SqlNodeList order) {
    SqlParserPos position = select.keys().getParserPosition();
    List<SqlNode> keys = new ArrayList<>();
    select.keys().forEach(key -> keys.add(copy(expression(key, select))));
    List<SqlNode> ordering = new ArrayList<>();
    order.forEach(item -> ordering.add(ordering(item, select)));
    SqlWindow window =
        SqlWindow.create(
            null,
            null,
            new SqlNodeList(keys, position),
            new SqlNodeList(ordering, position),
            SqlLiteral.createBoolean(false, position),
            null,
            null,
            null,
            SqlWindow.createExcludeNoOthers(position),
            position);
    SqlNode number =
        SqlStdOperatorTable.OVER.createCall(
            position, SqlStdOperatorTable.ROW_NUMBER.createCall(position), window);
    SqlNode first =
        SqlStdOperatorTable.EQUALS.createCall(
            position, number, SqlLiteral.createExactNumeric("1", position));
    SqlNode qualify = select.getQualify();
    select.setQualify(
        qualify == null ? first : SqlStdOperatorTable.AND.createCall(position, qualify, first));
  }

  private static SqlNode ordering(SqlNode item, DistinctOnSelect select) {
    switch (item.getKind()) {
      case DESCENDING, NULLS_FIRST, NULLS_LAST -> {
        SqlCall call = (SqlCall) item;
        return call.getOperator()
            .createCall(call.getParserPosition(), ordering(call.operand(0), select));
      }
      default -> {
        return copy(expression(item, select));
      }
    }
  }

  /** What an ordinal or the alias of a select item stands for. */
  private static SqlNode expression(SqlNode node, DistinctOnSelect select) {
    List<SqlNode> items = select.getSelectList();
    if (node instanceof SqlNumericLiteral number && number.isInteger()) {
      int ordinal = number.intValue(true);
      return ordinal >= 1 && ordinal <= items.size() ? withoutAlias(items.get(ordinal - 1)) : node;
    }
    if (node instanceof SqlIdentifier name && name.isSimple()) {
      return aliased(items, name).orElse(node);
    }
    return node;
  }

  private static Optional<SqlNode> aliased(List<SqlNode> items, SqlIdentifier name) {
    for (SqlNode item : items) {
      if (item.getKind() == SqlKind.AS) {
        SqlIdentifier alias = ((SqlCall) item).operand(1);
        if (NamePart.of(name).get(0).matches(alias.getSimple())) {
          return Optional.of(withoutAlias(item));
        }
      }
    }
    return Optional.empty();
  }

  private static SqlNode withoutAlias(SqlNode item) {
    return item.getKind() == SqlKind.AS ? ((SqlCall) item).operand(0) : item;
  }

  /** A copy: the validator tells nodes apart by identity. */
  private static SqlNode copy(SqlNode node) {
    return node.clone(node.getParserPosition());
  }
}
