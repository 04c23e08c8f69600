package io.fulmar.planner.validate;

import io.fulmar.planner.parse.Positions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlUtil;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * The names of a result's columns. Calcite numbers repeated names and invents names for
 * expressions; a result repeats names as the tables have them, and an expression is named by its
 * text.
 */
final class ResultNames {
  private static final int MAX_LENGTH = 100;

  private ResultNames() {}

  /**
   * One name for each field.
   *
   * @param query the validated query
   * @param items the top-level select items as they were written, before the validator changed them
   */
  static List<String> of(RelDataType rowType, SqlNode query, List<SqlNode> items, Positions text) {
    List<String> names = new ArrayList<>(rowType.getFieldNames());
    List<SqlNode> expanded = selectItems(query);
    if (expanded.size() != names.size()) {
      return names;
    }
    boolean sameItems = items.size() == expanded.size();
    for (int i = 0; i < names.size(); i++) {
      Optional<String> column = unnumbered(expanded.get(i));
      if (column.isPresent()) {
        names.set(i, column.get());
      } else if (SqlUtil.isGeneratedAlias(names.get(i)) && sameItems) {
        names.set(i, label(text.text(items.get(i).getParserPosition()), names.get(i)));
      }
    }
    return names;
  }

  /** The select items that give a query its names. */
  static List<SqlNode> selectItems(SqlNode query) {
    if (query instanceof SqlSelect select) {
      return List.copyOf(select.getSelectList());
    }
    if (query instanceof SqlOrderBy ordered) {
      return selectItems(ordered.query);
    }
    if (query instanceof SqlWith with) {
      return selectItems(with.body);
    }
    boolean isSet =
        query.getKind() == SqlKind.UNION
            || query.getKind() == SqlKind.INTERSECT
            || query.getKind() == SqlKind.EXCEPT;
    return isSet ? selectItems(((SqlBasicCall) query).operand(0)) : List.of();
  }

  /**
   * The table's name for a column that is selected as it is, unless an alias was written: one that
   * the validator made has no place, or that of its column.
   */
  private static Optional<String> unnumbered(SqlNode item) {
    if (item instanceof SqlIdentifier column) {
      return Optional.of(column.names.get(column.names.size() - 1));
    }
    if (item.getKind() != SqlKind.AS) {
      return Optional.empty();
    }
    SqlCall call = (SqlCall) item;
    SqlParserPos alias = call.operand(1).getParserPosition();
    boolean generated =
        alias.equals(SqlParserPos.ZERO) || alias.equals(call.operand(0).getParserPosition());
    return generated && call.operand(0) instanceof SqlIdentifier
        ? unnumbered(call.operand(0))
        : Optional.empty();
  }

  private static String label(String text, String otherwise) {
    String label = text.replaceAll("\\s+", " ").trim();
    if (label.isEmpty()) {
      return otherwise;
    }
    return label.length() > MAX_LENGTH ? label.substring(0, MAX_LENGTH) : label;
  }
}
