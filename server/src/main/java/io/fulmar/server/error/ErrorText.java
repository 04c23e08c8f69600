package io.fulmar.server.error;

import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.error.SourcePosition;
import java.util.List;

/**
 * The text of an error: {@code CODE (SQLSTATE) at line l, column c: message. hint}, then the line
 * of the statement with carets under the blamed part.
 */
final class ErrorText {
  /** Clients refuse header lists above 8 KiB, and the text travels in one, percent-encoded. */
  private static final int MAX_ENCODED_BYTES = 4096;

  private static final int QUOTED_COLUMNS = 120;

  private ErrorText() {}

  static String describe(FulmarException error, ErrorContext context) {
    StringBuilder text = new StringBuilder();
    text.append(error.code()).append(" (").append(error.code().sqlState()).append(')');
    error
        .position()
        .ifPresent(
            at ->
                text.append(" at line ").append(at.line()).append(", column ").append(at.column()));
    text.append(": ").append(sentence(error.getMessage()));
    error.hint().ifPresent(hint -> text.append(' ').append(sentence(hint)));
    String quoted =
        error.position().flatMap(at -> context.sql().map(sql -> quote(sql, at))).orElse("");
    return shorten(text.toString(), MAX_ENCODED_BYTES - encodedBytes(quoted)) + quoted;
  }

  private static String sentence(String message) {
    String text = message.strip();
    return text.isEmpty() || ".?!".indexOf(text.charAt(text.length() - 1)) >= 0 ? text : text + ".";
  }

  private static String quote(String sql, SourcePosition at) {
    List<String> lines = sql.lines().toList();
    if (at.line() > lines.size()) {
      return "";
    }

    String line = lines.get(at.line() - 1).replace('\t', ' ');
    int column = Math.min(at.column() - 1, line.length());
    int from = Math.max(0, column - QUOTED_COLUMNS / 2);
    int to = Math.min(line.length(), from + QUOTED_COLUMNS);
    int end = at.endLine() == at.line() ? at.endColumn() : line.length();
    int carets = Math.max(1, Math.min(end, to) - column);
    return "\n" + line.substring(from, to) + "\n" + " ".repeat(column - from) + "^".repeat(carets);
  }

  private static String shorten(String text, int maxEncodedBytes) {
    if (encodedBytes(text) <= maxEncodedBytes) {
      return text;
    }

    int end = text.length();
    while (end > 0 && encodedBytes(text.substring(0, end)) > maxEncodedBytes - 16) {
      end -= Math.max(1, end / 16);
    }
    return text.substring(0, end) + " …";
  }

  /** As gRPC encodes messages: one byte for printable ASCII, three for each other byte. */
  private static int encodedBytes(String text) {
    int bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean plain = c >= ' ' && c <= '~' && c != '%';
      bytes += plain ? 1 : c < 0x80 ? 3 : 9;
    }
    return bytes;
  }
}
