package io.fulmar.planner.transport;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.util.Optional;

/** Translates patterns of SIMILAR TO into regular expressions that are anchored at both ends. */
final class SimilarPattern {
  private static final String REGEX_ONLY = ".^$\\";
  private static final String SHARED = "|*+?(){}";

  private final int[] pattern;
  private final Optional<Integer> escape;
  private final StringBuilder regex = new StringBuilder("^(?s:");
  private int at;

  private SimilarPattern(String pattern, Optional<Integer> escape) {
    this.pattern = pattern.codePoints().toArray();
    this.escape = escape;
  }

  /**
   * The regular expression of a pattern.
   *
   * @param escape absent means backslash; empty means that nothing escapes
   * @throws FulmarException INVALID_ARGUMENT for a pattern that is not well formed
   */
  static String toRegex(String pattern, Optional<String> escape) {
    String character = escape.orElse("\\");
    if (character.codePointCount(0, character.length()) > 1) {
      throw new FulmarException(
          ErrorCode.INVALID_ARGUMENT, "ESCAPE takes one character, not '" + character + "'");
    }
    Optional<Integer> codePoint =
        character.isEmpty() ? Optional.empty() : Optional.of(character.codePointAt(0));
    return new SimilarPattern(pattern, codePoint).translate();
  }

  private String translate() {
    while (at < pattern.length) {
      int character = pattern[at++];
      if (isEscape(character)) {
        appendLiteral(next("ends with its escape character"));
      } else if (character == '%') {
        regex.append(".*");
      } else if (character == '_') {
        regex.append('.');
      } else if (character == '[') {
        bracket();
      } else if (SHARED.indexOf(character) >= 0) {
        regex.append(character == '(' ? "(?:" : Character.toString(character));
      } else {
        appendLiteral(character);
      }
    }
    return regex.append(")$").toString();
  }

  /** A character class; within it only the escape, ^, - and [:name:] mean more than themselves. */
  private void bracket() {
    regex.append('[');
    if (at < pattern.length && pattern[at] == '^') {
      regex.append('^');
      at++;
    }
    while (true) {
      int character = next("has a [ without its ]");
      if (isEscape(character)) {
        appendClassLiteral(next("ends with its escape character"));
      } else if (character == ']') {
        regex.append(']');
        return;
      } else if (character == '[' && at < pattern.length && pattern[at] == ':') {
        namedClass();
      } else if (character == '-') {
        regex.append('-');
      } else {
        appendClassLiteral(character);
      }
    }
  }

  private void namedClass() {
    regex.append('[');
    int character;
    do {
      character = next("has a [: without its :]");
      regex.appendCodePoint(character);
    } while (character != ']');
  }

  private void appendLiteral(int character) {
    if (REGEX_ONLY.indexOf(character) >= 0 || (SHARED + "[]").indexOf(character) >= 0) {
      regex.append('\\');
    }
    regex.appendCodePoint(character);
  }

  private void appendClassLiteral(int character) {
    if ("[]\\^&~-".indexOf(character) >= 0) {
      regex.append('\\');
    }
    regex.appendCodePoint(character);
  }

  private boolean isEscape(int character) {
    return escape.isPresent() && escape.get() == character;
  }

  private int next(String problem) {
    if (at == pattern.length) {
      throw new FulmarException(
          ErrorCode.INVALID_ARGUMENT,
          "SIMILAR TO pattern '" + new String(pattern, 0, pattern.length) + "' " + problem);
    }
    return pattern[at++];
  }
}
