package io.fulmar.planner.validate;

import static java.util.Objects.requireNonNull;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.calcite.config.CalciteConnectionConfig;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.linq4j.tree.Expression;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.prepare.Prepare;
import org.apache.calcite.prepare.RelOptTableImpl;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.schema.impl.AbstractSchema;
import org.apache.calcite.sql.validate.SqlNameMatcher;

/**
 * The tables that one statement names, as Calcite's catalog. Each reference is registered under a
 * name of its own; a table is registered under its written path as well, so that columns written
 * with that path resolve.
 */
final class StatementCatalog extends CalciteCatalogReader {
  private final Map<List<String>, Prepare.PreparingTable> byQualifiedName = new HashMap<>();
  private final Map<StatementTable, Prepare.PreparingTable> byTable = new HashMap<>();
  private int references;

  StatementCatalog(SqlNameMatcher names, RelDataTypeFactory types, CalciteConnectionConfig config) {
    super(
        CalciteSchema.createRootSchema(false, false),
        requireNonNull(names, "names is null"),
        List.of(List.of()),
        types,
        config);
  }

  /**
   * Registers a reference.
   *
   * @param path as it is written
   * @return the name by which the reference is found
   */
  String register(StatementTable table, List<String> path) {
    Prepare.PreparingTable registered = byTable.computeIfAbsent(table, this::prepare);
    String name = "$reference" + references++;
    rootSchema.add(name, new Reference(registered, table));
    addRoutes(path, registered, table);
    addRoutes(table.path(), registered, table);
    return name;
  }

  /** Under the path and every shorter one that still names a schema; what is taken stays. */
  private void addRoutes(
      List<String> path, Prepare.PreparingTable registered, StatementTable table) {
    for (int from = 0; from < path.size() - 1; from++) {
      CalciteSchema schema = rootSchema;
      for (String level : path.subList(from, path.size() - 1)) {
        CalciteSchema child = schema.getSubSchema(level, true);
        schema = child == null ? schema.add(level, new AbstractSchema()) : child;
      }
      String last = path.get(path.size() - 1);
      if (schema.getTable(last, true) == null) {
        schema.add(last, new Reference(registered, table));
      }
    }
  }

  private Prepare.PreparingTable prepare(StatementTable table) {
    List<String> qualified =
        List.of(table.displayName() + (byTable.isEmpty() ? "" : "#" + byTable.size()));
    Prepare.PreparingTable prepared =
        RelOptTableImpl.create(
            this, table.getRowType(typeFactory), qualified, table, (Expression) null);
    byQualifiedName.put(qualified, prepared);
    return prepared;
  }

  /**
   * Columns of the statement's tables and fields of their structs, with the path to each, for "did
   * you mean".
   */
  Map<String, String> visibleNames() {
    Map<String, String> names = new TreeMap<>();
    for (StatementTable table : byTable.keySet()) {
      for (TableColumn column : table.columns()) {
        names.put(column.name(), column.name());
      }
    }
    for (StatementTable table : byTable.keySet()) {
      for (TableColumn column : table.columns()) {
        addFields(column.type(), column.name(), names);
      }
    }
    return names;
  }

  private static void addFields(RelDataType type, String path, Map<String, String> names) {
    if (type.isStruct()) {
      for (RelDataTypeField field : type.getFieldList()) {
        String fieldPath = path + "." + field.getName();
        names.putIfAbsent(field.getName(), fieldPath);
        addFields(field.getType(), fieldPath, names);
      }
    }
  }

  @Override
  public Prepare.PreparingTable getTable(List<String> names) {
    Prepare.PreparingTable known = byQualifiedName.get(names);
    return known == null ? super.getTable(names) : known;
  }

  /** A name for a table: Calcite asks it for the prepared one. */
  private static final class Reference extends StatementTable {
    private final Prepare.PreparingTable prepared;
    private final StatementTable table;

    private Reference(Prepare.PreparingTable prepared, StatementTable table) {
      super(table.columns());
      this.prepared = prepared;
      this.table = table;
    }

    @Override
    String displayName() {
      return table.displayName();
    }

    @Override
    List<String> path() {
      return table.path();
    }

    @Override
    public <C> C unwrap(Class<C> type) {
      return type.isInstance(prepared) ? type.cast(prepared) : super.unwrap(type);
    }
  }
}
