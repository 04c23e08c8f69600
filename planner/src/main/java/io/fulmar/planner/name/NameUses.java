package io.fulmar.planner.name;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.SqlWithItem;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;

/**
 * How each name was written where it is used. Calcite's validator passes names on as strings,
 * without their quotes and places; the parser makes a string of its own for each written name, and
 * the validator keeps that very string, so its identity leads back to the place.
 */
public final class NameUses {
  private final Map<String, Use> uses = new IdentityHashMap<>();
  private final Set<String> definitions = new TreeSet<>();

  /**
   * One component of a written identifier.
   *
   * @param isFirst whether nothing stands before it
   */
  record Use(boolean isQuoted, boolean isFirst, SqlParserPos position) {}

  private NameUses() {}

  public static NameUses of(SqlNode statement) {
    NameUses names = new NameUses();
    statement.accept(names.new Collector());
    return names;
  }

  /** Empty for a string that no use of a name in the statement brought. */
  Optional<Use> find(String name) {
    return Optional.ofNullable(uses.get(name));
  }

  /** Aliases and names of WITH queries. */
  public Set<String> definitions() {
    return Set.copyOf(definitions);
  }

  private final class Collector extends SqlBasicVisitor<Void> {
    @Override
    public Void visit(SqlIdentifier identifier) {
      List<String> components = identifier.names;
      for (int i = 0; i < components.size(); i++) {
        Use use =
            new Use(
                NamePart.isQuoted(identifier, i), i == 0, identifier.getComponentParserPosition(i));
        uses.put(components.get(i), use);
      }
      return null;
    }

    @Override
    public Void visit(SqlCall call) {
      if (call.getKind() == SqlKind.AS) {
        call.getOperandList().stream()
            .skip(1)
            .filter(SqlIdentifier.class::isInstance)
            .forEach(alias -> definitions.addAll(((SqlIdentifier) alias).names));
        return call.operand(0).accept(this);
      }
      if (call instanceof SqlWith with) {
        visitQueries(with.withList);
        return with.body.accept(this);
      }
      return super.visit(call);
    }

    private void visitQueries(SqlNodeList items) {
      for (SqlNode item : items) {
        definitions.addAll(((SqlWithItem) item).name.names);
        ((SqlWithItem) item).query.accept(this);
      }
    }
  }
}
