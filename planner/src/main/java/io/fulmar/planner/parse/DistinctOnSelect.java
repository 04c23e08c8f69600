package io.fulmar.planner.parse;

import static java.util.Objects.requireNonNull;

import java.util.List;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * {@code SELECT DISTINCT ON (keys) …}: for each key the first row in the order of the query's ORDER
 * BY. Name resolution turns it into a ranking.
 */
public final class DistinctOnSelect extends SqlSelect {
  private final SqlNodeList keys;

  private DistinctOnSelect(
      SqlParserPos position,
      SqlNodeList keys,
      SqlNodeList items,
      SqlNode from,
      SqlNode where,
      SqlNodeList groupBy,
      SqlNode having,
      SqlNodeList windows,
      SqlNode qualify) {
    super(
        position, null, items, from, where, groupBy, having, windows, qualify, null, null, null,
        null);
    this.keys = requireNonNull(keys, "keys is null");
  }

  /** For the parser: absent clauses are null, as Calcite has them. */
  static DistinctOnSelect of(
      SqlParserPos position,
      SqlNodeList keys,
      List<SqlNode> items,
      SqlNode from,
      SqlNode where,
      SqlNodeList groupBy,
      SqlNode having,
      SqlNodeList windows,
      SqlNode qualify) {
    SqlNodeList list = new SqlNodeList(items, position);
    return new DistinctOnSelect(
        position, keys, list, from, where, groupBy, having, windows, qualify);
  }

  public SqlNodeList keys() {
    return keys;
  }
}
