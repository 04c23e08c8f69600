package io.fulmar.planner.transport;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.util.Optional;

/** Rewrites the patterns of LIKE to the backslash escape that the engine knows (ledger 10). */
final class LikePattern {
  private static final char BACKSLASH = '\\';

  private LikePattern() {}

  /**
   * The pattern with backslash as escape.
   *
   * @param escape absent means backslash; empty means that nothing escapes
   * @throws FulmarException INVALID_ARGUMENT where the escape is longer than one character, or
   *     stands before an ordinary character or at the end
   */
  static String withBackslash(String pattern, Optional<String> escape) {
    if (escape.isEmpty() || escape.get().equals("\\")) {
      checkEnd(pattern, BACKSLASH);
      return pattern;
    }
    if (escape.get().isEmpty()) {
      return pattern.replace("\\", "\\\\");
    }
    if (escape.get().codePointCount(0, escape.get().length()) != 1) {
      throw new FulmarException(
          ErrorCode.INVALID_ARGUMENT, "ESCAPE takes one character, not '" + escape.get() + "'");
    }
    return translate(pattern, escape.get().codePointAt(0));
  }

  private static String translate(String pattern, int escape) {
    StringBuilder rewritten = new StringBuilder();
    int[] characters = pattern.codePoints().toArray();
    for (int i = 0; i < characters.length; i++) {
      int character = characters[i];
      if (character == escape) {
        i++;
        if (i == characters.length) {
          throw dangling(pattern);
        }
        appendLiteral(rewritten, characters[i]);
      } else if (character == BACKSLASH) {
        appendLiteral(rewritten, character);
      } else {
        rewritten.appendCodePoint(character);
      }
    }
    return rewritten.toString();
  }

  private static void appendLiteral(StringBuilder pattern, int character) {
    if (character == '%' || character == '_' || character == BACKSLASH) {
      pattern.append(BACKSLASH);
    }
    pattern.appendCodePoint(character);
  }

  private static void checkEnd(String pattern, char escape) {
    int trailing = 0;
    for (int i = pattern.length() - 1; i >= 0 && pattern.charAt(i) == escape; i--) {
      trailing++;
    }
    if (trailing % 2 == 1) {
      throw dangling(pattern);
    }
  }

  private static FulmarException dangling(String pattern) {
    return new FulmarException(
        ErrorCode.INVALID_ARGUMENT,
        "LIKE pattern '" + pattern + "' ends with its escape character");
  }

  /** The text before the first wildcard of a pattern with backslash as escape. */
  static Prefix prefix(String pattern) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < pattern.length(); i++) {
      char character = pattern.charAt(i);
      if (character == '%' || character == '_') {
        return new Prefix(text.toString(), false);
      }
      if (character == BACKSLASH && i + 1 < pattern.length()) {
        i++;
      }
      text.append(pattern.charAt(i));
    }
    return new Prefix(text.toString(), true);
  }

  /**
   * @param whole whether nothing follows: the pattern has no wildcard
   */
  record Prefix(String text, boolean whole) {}
}
