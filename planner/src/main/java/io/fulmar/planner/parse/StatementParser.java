package io.fulmar.planner.parse;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import org.apache.calcite.avatica.util.Casing;
import org.apache.calcite.avatica.util.Quoting;
import org.apache.calcite.config.Lex;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParser;
import org.apache.calcite.sql.validate.SqlConformance;

/** Text to syntax tree. Identifiers keep their spelling. Safe for use by several threads. */
public final class StatementParser {
  private static final int MAX_IDENTIFIER = 1_000;

  private final SqlParser.Config config;
  private final StatementLimits limits;

  public StatementParser(SqlConformance conformance, StatementLimits limits) {
    this.config =
        SqlParser.config()
            .withParserFactory(FulmarParserImpl.FACTORY)
            .withQuoting(Quoting.DOUBLE_QUOTE)
            .withUnquotedCasing(Casing.UNCHANGED)
            .withQuotedCasing(Casing.UNCHANGED)
            .withCaseSensitive(true)
            .withIdentifierMaxLength(MAX_IDENTIFIER)
            .withConformance(requireNonNull(conformance, "conformance is null"));
    this.limits = requireNonNull(limits, "limits is null");
  }

  /**
   * Parses one statement; semicolons and comments may follow.
   *
   * @throws FulmarException SYNTAX_ERROR with the offending text, or STATEMENT_TOO_COMPLEX
   */
  public SqlNode parse(String sql) {
    return parse(sql, config);
  }

  /** As {@link #parse(String)}, where names are quoted by backticks and text by either quote. */
  public SqlNode parseBackticked(String sql) {
    return parse(
        sql,
        config
            .withQuoting(Quoting.BACK_TICK_BACKSLASH)
            .withCharLiteralStyles(Lex.BIG_QUERY.charLiteralStyles));
  }

  private SqlNode parse(String sql, SqlParser.Config form) {
    TokenCounter.check(sql, limits);
    try {
      return SqlParser.create(sql, form).parseStmt();
    } catch (SqlParseException e) {
      throw ParseErrors.translate(e, sql);
    } catch (FulmarException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new FulmarException(
          ErrorCode.INTERNAL_ERROR, "The parser failed: " + e.getMessage(), e);
    }
  }
}
