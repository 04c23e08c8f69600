package io.fulmar.planner.name;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.planner.parse.Positions;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rel.type.StructKind;
import org.apache.calcite.sql.validate.SqlNameMatcher;

/**
 * The name rule, for one statement: a quoted name means exactly itself; an unquoted one the exact
 * match, else the only match that differs by case alone.
 */
public final class StatementNames implements SqlNameMatcher {
  private final NameUses uses;
  private final Positions positions;
  private final Set<String> exactAliases = new LinkedHashSet<>();

  public StatementNames(NameUses uses, Positions positions) {
    this.uses = requireNonNull(uses, "uses is null");
    this.positions = requireNonNull(positions, "positions is null");
  }

  /** Tables of one FROM whose aliases differ by case alone: such names are matched exactly. */
  public void matchExactly(String alias) {
    exactAliases.add(alias.toLowerCase(Locale.ROOT));
  }

  /** Keeps Calcite from its own case-insensitive searches, which take the first match. */
  @Override
  public boolean isCaseSensitive() {
    return true;
  }

  @Override
  public boolean matches(String string, String name) {
    if (string.equals(name)) {
      return true;
    }
    return string.equalsIgnoreCase(name)
        && !isQuoted(string)
        && !isQuoted(name)
        && !exactAliases.contains(name.toLowerCase(Locale.ROOT));
  }

  private boolean isQuoted(String name) {
    return uses.find(name).map(NameUses.Use::isQuoted).orElse(false);
  }

  @Override
  public <K extends List<String>, V> V get(Map<K, V> map, List<String> prefix, List<String> names) {
    throw new UnsupportedOperationException("Maps of names are not searched");
  }

  @Override
  public String bestString() {
    throw new UnsupportedOperationException("The matcher keeps no last match");
  }

  /**
   * The field of that name, or null as the interface wants it. A name that stands alone is never
   * looked for inside structs: {@code id} is not {@code address.id}.
   *
   * @throws FulmarException AMBIGUOUS_NAME where no field matches exactly and several differ by
   *     case
   */
  @Override
  public RelDataTypeField field(RelDataType rowType, String name) {
    if (rowType.getStructKind() == StructKind.PEEK_FIELDS_NO_EXPAND
        && uses.find(name).map(NameUses.Use::isFirst).orElse(false)) {
      return null;
    }
    RelDataTypeField exact = rowType.getField(name, true, false);
    if (exact != null || isQuoted(name)) {
      return exact;
    }
    List<RelDataTypeField> similar =
        rowType.getFieldList().stream()
            .filter(field -> field.getName().equalsIgnoreCase(name))
            .toList();
    if (similar.size() > 1) {
      throw ambiguous(name, similar.stream().map(RelDataTypeField::getName).toList());
    }
    return similar.isEmpty() ? null : similar.get(0);
  }

  private FulmarException ambiguous(String name, List<String> candidates) {
    FulmarException error =
        new FulmarException(
                ErrorCode.AMBIGUOUS_NAME,
                "Column \"" + name + "\" fits several: " + String.join(", ", candidates))
            .withHint("Put the name in double quotes.");
    return uses.find(name).map(use -> error.at(positions.of(use.position()))).orElse(error);
  }

  @Override
  public int frequency(Iterable<String> names, String name) {
    int exact = 0;
    int similar = 0;
    for (String each : names) {
      if (each.equals(name)) {
        exact++;
      } else if (matches(each, name)) {
        similar++;
      }
    }
    return exact > 0 ? exact : similar;
  }

  @Override
  public Set<String> createSet() {
    return new LinkedHashSet<>();
  }
}
