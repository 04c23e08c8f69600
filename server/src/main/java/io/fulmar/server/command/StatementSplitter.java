package io.fulmar.server.command;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Cuts a script at its semicolons, not at those in quotes and comments. */
final class StatementSplitter {
  private static final Pattern TOKEN =
      Pattern.compile(
          "'(?:[^']|'')*'?|\"(?:[^\"]|\"\")*\"?|--[^\n]*|/\\*.*?(?:\\*/|$)|;|[^'\";/-]+|.",
          Pattern.DOTALL);

  private StatementSplitter() {}

  static List<String> split(String script) {
    List<String> statements = new ArrayList<>();
    StringBuilder statement = new StringBuilder();
    boolean hasText = false;
    Matcher tokens = TOKEN.matcher(script);
    while (tokens.find()) {
      String token = tokens.group();
      if (token.equals(";")) {
        add(statements, statement, hasText);
        statement.setLength(0);
        hasText = false;
      } else {
        statement.append(token);
        boolean isComment = token.startsWith("--") || token.startsWith("/*");
        hasText |= !isComment && !token.isBlank();
      }
    }
    add(statements, statement, hasText);
    return statements;
  }

  private static void add(List<String> statements, StringBuilder statement, boolean hasText) {
    if (hasText) {
      statements.add(statement.toString().strip());
    }
  }
}
