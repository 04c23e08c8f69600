package io.fulmar.planner.statement;

import io.fulmar.planner.PlanningContext;
import io.fulmar.planner.validate.AnalyzedQuery;
import io.fulmar.planner.validate.QueryAnalyzer;

/** What a prepared query is made of, again for each execution. */
public interface QuerySource {
  /** The statement's text, for positions. */
  String text();

  /** The query as names stand now. */
  AnalyzedQuery analyze(QueryAnalyzer analyzer, PlanningContext context);

  /** A query, or an EXPLAIN of one, by its text. */
  static QuerySource of(String sql) {
    return new QuerySource() {
      @Override
      public String text() {
        return sql;
      }

      @Override
      public AnalyzedQuery analyze(QueryAnalyzer analyzer, PlanningContext context) {
        return analyzer.analyze(sql, context);
      }
    };
  }
}
