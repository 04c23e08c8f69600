package io.fulmar.planner.parse;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.error.SourcePosition;
import java.io.StringReader;

/** Counts tokens and nesting before the recursive parser runs. */
final class TokenCounter {
  private TokenCounter() {}

  /** Throws STATEMENT_TOO_COMPLEX where the text passes a limit; text that is no SQL passes. */
  static void check(String sql, StatementLimits limits) {
    if (sql.length() > limits.maxCharacters()) {
      throw tooComplex("characters", limits.maxCharacters());
    }
    FulmarParserImplTokenManager tokens =
        new FulmarParserImplTokenManager(new SimpleCharStream(new StringReader(sql)));
    tokens.SwitchTo(FulmarParserImplConstants.DQID);
    int count = 0;
    int depth = 0;
    try {
      for (Token token = tokens.getNextToken();
          token.kind != FulmarParserImplConstants.EOF;
          token = tokens.getNextToken()) {
        count++;
        depth += nesting(token);
        if (count > limits.maxTokens()) {
          throw tooComplex("words and signs", limits.maxTokens()).at(position(token));
        }
        if (depth > limits.maxNesting()) {
          throw tooComplex("levels of nesting", limits.maxNesting()).at(position(token));
        }
      }
    } catch (TokenMgrError e) {
      return; // the parser reports it, with what it had read before
    }
  }

  private static int nesting(Token token) {
    return switch (token.kind) {
      case FulmarParserImplConstants.LPAREN,
          FulmarParserImplConstants.LBRACKET,
          FulmarParserImplConstants.CASE ->
          1;
      case FulmarParserImplConstants.RPAREN,
          FulmarParserImplConstants.RBRACKET,
          FulmarParserImplConstants.END ->
          -1;
      default -> 0;
    };
  }

  private static SourcePosition position(Token token) {
    return new SourcePosition(
        token.beginLine, token.beginColumn, token.endLine, token.endColumn, token.image);
  }

  private static FulmarException tooComplex(String what, int limit) {
    return new FulmarException(
            ErrorCode.STATEMENT_TOO_COMPLEX, "The statement has more than " + limit + " " + what)
        .withHint("Split the statement, or replace long lists by a join with VALUES.");
  }
}
