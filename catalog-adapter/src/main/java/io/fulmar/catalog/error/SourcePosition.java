package io.fulmar.catalog.error;

import static java.util.Objects.requireNonNull;

/**
 * The part of a statement's text that an error blames.
 *
 * @param line from 1
 * @param column from 1, in UTF-16 units as Calcite counts
 * @param endLine the line of the last character
 * @param endColumn the column of the last character, inclusive
 * @param text the offending text
 */
public record SourcePosition(int line, int column, int endLine, int endColumn, String text) {
  public SourcePosition {
    requireNonNull(text, "text is null");
    if (line < 1 || column < 1) {
      throw new IllegalArgumentException("Not a position: line " + line + ", column " + column);
    }
  }
}
