package io.fulmar.planner.parse;

import io.fulmar.catalog.error.SourcePosition;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Calcite's positions as ours. */
public final class Positions {
  private final String[] lines;

  /** Positions in the text of a statement. */
  public Positions(String sql) {
    this.lines = sql.split("\r\n|\n|\r", -1);
  }

  /** A position with a given text. */
  static SourcePosition of(SqlParserPos position, String text) {
    return new SourcePosition(
        Math.max(1, position.getLineNum()),
        Math.max(1, position.getColumnNum()),
        Math.max(1, position.getEndLineNum()),
        Math.max(1, position.getEndColumnNum()),
        text);
  }

  /** A position with the text of the statement that it covers. */
  public SourcePosition of(SqlParserPos position) {
    return of(position, text(position));
  }

  /** The text that a position covers; empty where the statement has no such place. */
  public String text(SqlParserPos position) {
    int first = position.getLineNum() - 1;
    int last = position.getEndLineNum() - 1;
    if (first < 0 || last < first || last >= lines.length) {
      return "";
    }
    if (first == last) {
      return cut(lines[first], position.getColumnNum() - 1, position.getEndColumnNum());
    }
    StringBuilder text =
        new StringBuilder(cut(lines[first], position.getColumnNum() - 1, lines[first].length()));
    for (int line = first + 1; line < last; line++) {
      text.append('\n').append(lines[line]);
    }
    return text.append('\n').append(cut(lines[last], 0, position.getEndColumnNum())).toString();
  }

  private static String cut(String line, int from, int to) {
    int start = Math.max(0, Math.min(from, line.length()));
    return line.substring(start, Math.max(start, Math.min(to, line.length())));
  }
}
