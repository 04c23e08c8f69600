package io.fulmar.planner.parse;

import static org.apache.calcite.util.Static.RESOURCE;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.error.SourcePosition;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Errors of the generated parser as ours: short, positioned, with the expected words if few. */
final class ParseErrors {
  private static final int MAX_EXPECTED = 8;
  private static final Pattern UNEXPECTED_CHARACTER =
      Pattern.compile("(?s)Lexical error.*Encountered: '?\"?(.*?)\"?'? \\(\\d+\\).*");
  private static final Pattern WORD = Pattern.compile("[\\p{L}_][\\p{L}\\p{N}_$]*");
  private static final Pattern UNFINISHED = Pattern.compile("[-+*/%=<>|,(.]+");

  /** First words of statements that other databases have. */
  private static final Set<String> OTHER_STATEMENTS =
      Set.of(
          "ALTER",
          "ANALYZE",
          "BEGIN",
          "COMMENT",
          "COMMIT",
          "COPY",
          "CREATE",
          "DROP",
          "GRANT",
          "INSERT",
          "DELETE",
          "UPDATE",
          "MERGE",
          "LOCK",
          "OPTIMIZE",
          "REFRESH",
          "RENAME",
          "REVOKE",
          "ROLLBACK",
          "START",
          "TRUNCATE",
          "VACUUM");

  private ParseErrors() {}

  static FulmarException translate(SqlParseException error, String sql) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof FulmarException typed) {
        return typed;
      }
      if (cause instanceof StackOverflowError) {
        return StatementLimits.tooDeep(error);
      }
    }
    SqlParserPos position = error.getPos();
    if (position == null) {
      return end(sql, "The statement is not complete");
    }
    SourcePosition blamed = new Positions(sql).of(position);
    return otherStatement(sql, blamed).orElseGet(() -> syntax(error, sql, blamed));
  }

  private static FulmarException syntax(
      SqlParseException error, String sql, SourcePosition blamed) {
    if (error.getExpectedTokenSequences() == null) {
      return lexicalOrSemantic(error, sql, blamed);
    }
    String found = blamed.text();
    if (error.getMessage().contains("Encountered \"<EOF>\"") || found.isEmpty()) {
      return withExpected(end(sql, "The statement ends too early"), error);
    }
    if (found.equals("'") || found.equals("\"")) {
      String what = found.equals("'") ? "A string" : "A quoted name";
      return new FulmarException(ErrorCode.SYNTAX_ERROR, what + " is not closed").at(blamed);
    }
    if (UNFINISHED.matcher(found).matches() && isLast(sql, blamed)) {
      return end(sql, "The statement ends too early, after " + quote(found));
    }
    return withExpected(
        new FulmarException(ErrorCode.SYNTAX_ERROR, "Unexpected " + quote(found)).at(blamed),
        error);
  }

  private static boolean isLast(String sql, SourcePosition blamed) {
    String[] lines = sql.stripTrailing().split("\r\n|\n|\r", -1);
    return lines.length == blamed.endLine()
        && lines[lines.length - 1].length() == blamed.endColumn();
  }

  private static FulmarException withExpected(FulmarException error, SqlParseException cause) {
    return expected(cause.getExpectedTokenNames()).map(error::withHint).orElse(error);
  }

  /** CREATE TABLE and the like: well known, but not in this grammar. */
  private static Optional<FulmarException> otherStatement(String sql, SourcePosition blamed) {
    Matcher words = WORD.matcher(withoutComments(sql));
    if (!words.find() || !OTHER_STATEMENTS.contains(words.group().toUpperCase(Locale.ROOT))) {
      return Optional.empty();
    }
    String statement = words.group().toUpperCase(Locale.ROOT);
    String second = words.find() ? words.group().toUpperCase(Locale.ROOT) : "";
    if (second.equals("SCHEMA")) {
      return Optional.empty();
    }
    return Optional.of(
        new FulmarException(
                ErrorCode.UNSUPPORTED_SQL,
                "This release has no statement " + (statement + " " + second).trim())
            .at(blamed));
  }

  private static String withoutComments(String sql) {
    return sql.replaceAll("(?s)/\\*.*?\\*/", " ").replaceAll("--[^\n]*", " ");
  }

  private static FulmarException lexicalOrSemantic(
      SqlParseException error, String sql, SourcePosition blamed) {
    String message = String.valueOf(error.getMessage());
    Matcher lexical = UNEXPECTED_CHARACTER.matcher(message);
    if (lexical.matches()) {
      return new FulmarException(
              ErrorCode.SYNTAX_ERROR, "Unexpected character " + quote(lexical.group(1)))
          .at(blamed);
    }
    if (message.startsWith("Lexical error")) {
      return end(sql, "A quote or comment is not closed").at(blamed);
    }
    if (message.startsWith("Incorrect syntax near the keyword")) {
      return new FulmarException(
              ErrorCode.SYNTAX_ERROR, "Unexpected keyword " + quote(blamed.text()))
          .at(blamed)
          .withHint("To use it as a name, write it in double quotes.");
    }
    if (message.equals(RESOURCE.illegalNonQueryExpression().str())) {
      return new FulmarException(
              ErrorCode.SYNTAX_ERROR, "Not the begin of a statement: " + quote(blamed.text()))
          .at(blamed)
          .withHint("A query begins with SELECT, WITH or VALUES.");
    }
    return new FulmarException(ErrorCode.SYNTAX_ERROR, firstLine(message)).at(blamed);
  }

  private static FulmarException end(String sql, String message) {
    String[] lines = sql.split("\r\n|\n|\r", -1);
    int line = lines.length;
    int column = lines[line - 1].length() + 1;
    return new FulmarException(ErrorCode.SYNTAX_ERROR, message)
        .at(new SourcePosition(line, column, line, column, ""));
  }

  private static Optional<String> expected(Collection<String> names) {
    Set<String> readable = new LinkedHashSet<>();
    for (String name : names) {
      describe(name).ifPresent(readable::add);
    }
    return readable.isEmpty() || readable.size() > MAX_EXPECTED
        ? Optional.empty()
        : Optional.of("Expected " + String.join(", ", readable) + ".");
  }

  private static Optional<String> describe(String token) {
    return switch (token) {
      case "<IDENTIFIER>", "<QUOTED_IDENTIFIER>" -> Optional.of("a name");
      case "<UNSIGNED_INTEGER_LITERAL>", "<DECIMAL_NUMERIC_LITERAL>", "<APPROX_NUMERIC_LITERAL>" ->
          Optional.of("a number");
      case "<QUOTED_STRING>" -> Optional.of("a string");
      case "<EOF>" -> Optional.of("the end");
      default -> {
        String plain = token.replace("\"", "");
        if (token.startsWith("<") && token.length() > 2) {
          yield Optional.empty();
        }
        yield Optional.of(WORD.matcher(plain).matches() ? plain : "\"" + plain + "\"");
      }
    };
  }

  private static String quote(String text) {
    return "\"" + text + "\"";
  }

  private static String firstLine(String message) {
    int end = message.indexOf('\n');
    return end < 0 ? message : message.substring(0, end);
  }
}
