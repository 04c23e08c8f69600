package io.fulmar.planner.name;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.parser.SqlParserPos;

/** One part of a written name. */
public record NamePart(String name, Spelling spelling, SqlParserPos position) {
  /** How it was written. */
  public enum Spelling {
    EXACT,
    ANY_CASE
  }

  public NamePart {
    requireNonNull(name, "name is null");
    requireNonNull(spelling, "spelling is null");
    requireNonNull(position, "position is null");
  }

  /** The parts of an identifier. */
  public static List<NamePart> of(SqlIdentifier identifier) {
    List<NamePart> parts = new ArrayList<>();
    for (int i = 0; i < identifier.names.size(); i++) {
      Spelling spelling = isQuoted(identifier, i) ? Spelling.EXACT : Spelling.ANY_CASE;
      parts.add(
          new NamePart(
              identifier.names.get(i), spelling, identifier.getComponentParserPosition(i)));
    }
    return List.copyOf(parts);
  }

  /** Whether a part was written in quotes; a simple identifier keeps that in its own position. */
  public static boolean isQuoted(SqlIdentifier identifier, int part) {
    return identifier.isComponentQuoted(part)
        || (identifier.isSimple() && identifier.getParserPosition().isQuoted());
  }

  /** A name as a catalog spells it, without a place in the statement. */
  public static NamePart exact(String name) {
    return new NamePart(name, Spelling.EXACT, SqlParserPos.ZERO);
  }

  /** Whether this part means {@code candidate}, were it the only one of its kind. */
  public boolean matches(String candidate) {
    return spelling == Spelling.EXACT ? name.equals(candidate) : name.equalsIgnoreCase(candidate);
  }

  public boolean isExact() {
    return spelling == Spelling.EXACT;
  }
}
