package io.fulmar.planner.validate;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.metadata.VersionSelector;
import io.fulmar.planner.name.NamePart;
import io.fulmar.planner.name.StatementNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlSnapshot;
import org.apache.calcite.sql.SqlTableRef;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.SqlWithItem;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * Replaces, in place, every table that a query names by a registered reference, with its version. A
 * reference without an alias gets the last part of its name as one. Names of WITH queries are
 * matched by the name rule, too.
 */
final class TableBinder {
  private static final String CHANGES = "table_changes";

  private final StatementTables tables;
  private final StatementCatalog catalog;
  private final StatementNames names;
  private final SnapshotClause snapshots;
  private final ChangesCall changes;

  TableBinder(
      StatementTables tables,
      StatementCatalog catalog,
      StatementNames names,
      SnapshotClause snapshots,
      ChangesCall changes) {
    this.tables = requireNonNull(tables, "tables is null");
    this.catalog = requireNonNull(catalog, "catalog is null");
    this.names = requireNonNull(names, "names is null");
    this.snapshots = requireNonNull(snapshots, "snapshots is null");
    this.changes = requireNonNull(changes, "changes is null");
  }

  void bind(SqlNode query) {
    bind(query, List.of());
  }

  /**
   * @param visible WITH queries that can be named here, the innermost last
   */
  private void bind(SqlNode node, List<SqlIdentifier> visible) {
    if (node instanceof SqlNodeList list) {
      list.forEach(each -> bind(each, visible));
    } else if (node instanceof SqlWith with) {
      bindWith(with, visible);
    } else if (node instanceof SqlSelect select) {
      bindSelect(select, visible);
    } else if (node instanceof SqlCall call) {
      if (call.getKind() == SqlKind.EXPLICIT_TABLE) {
        call.setOperand(0, reference(call.operand(0), new VersionSelector.Current(), visible));
        return;
      }
      call.getOperandList().forEach(operand -> bind(operand, visible));
    }
  }

  private void bindWith(SqlWith with, List<SqlIdentifier> visible) {
    List<SqlIdentifier> inner = new ArrayList<>(visible);
    for (SqlNode each : with.withList) {
      SqlWithItem item = (SqlWithItem) each;
      if (item.recursive.booleanValue()) {
        inner.add(item.name);
        bind(item.query, List.copyOf(inner));
      } else {
        bind(item.query, List.copyOf(inner));
        inner.add(item.name);
      }
    }
    bind(with.body, List.copyOf(inner));
  }

  private void bindSelect(SqlSelect select, List<SqlIdentifier> visible) {
    SqlNode from = select.getFrom();
    for (SqlNode operand : select.getOperandList()) {
      if (operand != null && operand != from) {
        bind(operand, visible);
      }
    }
    if (from != null) {
      List<String> aliases = new ArrayList<>();
      select.setFrom(bindFrom(from, visible, aliases));
      matchVariantsExactly(aliases);
    }
  }

  private void matchVariantsExactly(List<String> aliases) {
    for (String alias : aliases) {
      boolean hasVariant =
          aliases.stream().anyMatch(other -> other.equalsIgnoreCase(alias) && !other.equals(alias));
      if (hasVariant) {
        names.matchExactly(alias);
      }
    }
  }

  private SqlNode bindFrom(SqlNode from, List<SqlIdentifier> visible, List<String> aliases) {
    if (from instanceof SqlIdentifier
        || from instanceof SqlSnapshot
        || from instanceof SqlTableRef) {
      SqlIdentifier name = tableName(from);
      SqlNode alias = new SqlIdentifier(last(name), name.getParserPosition());
      aliases.add(last(name));
      return SqlStdOperatorTable.AS.createCall(
          from.getParserPosition(), bindTable(from, visible), alias);
    }
    Optional<SqlIdentifier> changed = changes(from);
    if (changed.isPresent()) {
      aliases.add(CHANGES);
      return SqlStdOperatorTable.AS.createCall(
          from.getParserPosition(),
          changed.get(),
          new SqlIdentifier(CHANGES, from.getParserPosition()));
    }
    if (from instanceof SqlJoin join) {
      join.setLeft(bindFrom(join.getLeft(), visible, aliases));
      join.setRight(bindFrom(join.getRight(), visible, aliases));
      if (join.getCondition() != null) {
        bind(join.getCondition(), visible);
      }
      return join;
    }
    if (from.getKind() == SqlKind.AS) {
      SqlCall call = (SqlCall) from;
      aliases.add(last(call.operand(1)));
      call.setOperand(0, bindAliased(call.operand(0), visible));
      return call;
    }
    return bindOther(from, visible, aliases);
  }

  /** TABLESAMPLE, PIVOT and the like around a table, LATERAL, UNNEST, sub-queries. */
  private SqlNode bindOther(SqlNode from, List<SqlIdentifier> visible, List<String> aliases) {
    switch (from.getKind()) {
      case TABLESAMPLE, PIVOT, UNPIVOT, MATCH_RECOGNIZE -> {
        SqlCall call = (SqlCall) from;
        List<SqlNode> operands = call.getOperandList();
        for (int i = 1; i < operands.size(); i++) {
          if (operands.get(i) != null) {
            bind(operands.get(i), visible);
          }
        }
        call.setOperand(0, bindFrom(operands.get(0), visible, aliases));
      }
      default -> bind(from, visible);
    }
    return from;
  }

  private SqlNode bindAliased(SqlNode table, List<SqlIdentifier> visible) {
    boolean named =
        table instanceof SqlIdentifier
            || table instanceof SqlSnapshot
            || table instanceof SqlTableRef;
    if (named) {
      return bindTable(table, visible);
    }
    Optional<SqlIdentifier> changed = changes(table);
    return changed.isPresent() ? changed.get() : bindFrom(table, visible, new ArrayList<>());
  }

  /** What {@code TABLE(system.table_changes(…))} stands for. */
  private Optional<SqlIdentifier> changes(SqlNode from) {
    return changes
        .table(from)
        .map(
            table ->
                new SqlIdentifier(
                    catalog.register(table, List.of(CHANGES)), from.getParserPosition()));
  }

  private SqlNode bindTable(SqlNode table, List<SqlIdentifier> visible) {
    VersionSelector version =
        table instanceof SqlSnapshot snapshot
            ? snapshots.version(snapshot)
            : new VersionSelector.Current();
    return reference(tableName(table), version, visible);
  }

  private static SqlIdentifier tableName(SqlNode table) {
    if (table instanceof SqlSnapshot snapshot) {
      return tableName(snapshot.getTableRef());
    }
    return table instanceof SqlTableRef hinted ? hinted.operand(0) : (SqlIdentifier) table;
  }

  private SqlIdentifier reference(
      SqlIdentifier name, VersionSelector version, List<SqlIdentifier> visible) {
    if (name.isSimple() && version instanceof VersionSelector.Current) {
      Optional<SqlIdentifier> with = withQuery(NamePart.of(name).get(0), visible);
      if (with.isPresent()) {
        return new SqlIdentifier(with.get().getSimple(), name.getParserPosition());
      }
    }
    StatementTable table = tables.find(NamePart.of(name), version);
    return new SqlIdentifier(catalog.register(table, name.names), name.getParserPosition());
  }

  /** The innermost WITH query of that name: exactly, else by case alone. */
  private static Optional<SqlIdentifier> withQuery(NamePart name, List<SqlIdentifier> visible) {
    Optional<SqlIdentifier> similar = Optional.empty();
    for (int i = visible.size() - 1; i >= 0; i--) {
      SqlIdentifier candidate = visible.get(i);
      if (candidate.getSimple().equals(name.name())) {
        return Optional.of(candidate);
      }
      if (similar.isEmpty() && name.matches(candidate.getSimple())) {
        similar = Optional.of(candidate);
      }
    }
    return similar;
  }

  private static String last(SqlNode identifier) {
    SqlIdentifier name = (SqlIdentifier) identifier;
    return name.names.get(name.names.size() - 1);
  }
}
