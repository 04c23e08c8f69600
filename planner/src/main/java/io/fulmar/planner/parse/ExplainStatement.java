package io.fulmar.planner.parse;

import static java.util.Objects.requireNonNull;

import java.util.List;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;

/** {@code EXPLAIN [PLAN] [LOGICAL | PHYSICAL | ANALYZE] [FOR] query}. */
public final class ExplainStatement extends CommandCall {
  private final Detail detail;
  private final SqlNode query;

  ExplainStatement(SqlParserPos position, Detail detail, SqlNode query) {
    super("EXPLAIN", position);
    this.detail = requireNonNull(detail, "detail is null");
    this.query = requireNonNull(query, "query is null");
  }

  /** What to show. */
  public enum Detail {
    LOGICAL,
    PHYSICAL,
    ALL,
    /** Runs the query and shows what each operator did. */
    ANALYZE
  }

  public Detail detail() {
    return detail;
  }

  public SqlNode query() {
    return query;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return List.of(query);
  }
}
