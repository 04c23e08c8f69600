package io.fulmar.planner.validate;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.metadata.TableSnapshot;
import io.fulmar.catalog.scan.ChangeRange;
import io.fulmar.catalog.scan.ChangeRange.Part;
import io.fulmar.catalog.scan.ChangeRequest;
import io.fulmar.engine.plan.MetadataColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.linq4j.tree.Expression;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.prepare.RelOptTableImpl;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.logical.LogicalTableScan;
import org.apache.calcite.rel.logical.LogicalUnion;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * The changes of a table between two snapshots, composed of scans: rows of added files, and rows of
 * removed files that were live; rows of files that stayed which were live before and are not after;
 * and those for which it is the other way round. A row is known by commit, file and position.
 */
final class TableChanges extends StatementTable {
  private static final String ORDINAL = "_change_ordinal";
  private static final String FILE = "_file";
  private static final String POSITION = "_pos";

  private final TableSnapshot snapshot;
  private final ChangeRange range;

  /**
   * @param snapshot the table, with the columns of the commit in its schema
   */
  TableChanges(TableSnapshot snapshot, ChangeRange range, List<TableColumn> columns) {
    super(columns);
    this.snapshot = requireNonNull(snapshot, "snapshot is null");
    this.range = requireNonNull(range, "range is null");
  }

  @Override
  String displayName() {
    return snapshot.displayName() + " changes";
  }

  @Override
  List<String> path() {
    return List.of(displayName());
  }

  @Override
  public RelNode toRel(RelOptTable.ToRelContext context, RelOptTable table) {
    RelOptCluster cluster = context.getCluster();
    RelNode deleted = minus(cluster, Part.DELETED_BEFORE, Part.DELETED_AFTER);
    RelNode restored = minus(cluster, Part.RESTORED_AFTER, Part.RESTORED_BEFORE);
    return LogicalUnion.create(List.of(own(scan(cluster, Part.FILES)), deleted, restored), true);
  }

  /** The rows of one part that another has not. */
  private RelNode minus(RelOptCluster cluster, Part rows, Part others) {
    RexBuilder builder = cluster.getRexBuilder();
    RelNode left = scan(cluster, rows);
    RelNode right = scan(cluster, others);
    int width = left.getRowType().getFieldCount();
    List<RexNode> conditions = new ArrayList<>();
    for (String key : List.of(ORDINAL, FILE, POSITION)) {
      int ordinal = left.getRowType().getField(key, true, false).getIndex();
      RelDataType type = right.getRowType().getFieldList().get(ordinal).getType();
      conditions.add(
          builder.makeCall(
              SqlStdOperatorTable.EQUALS,
              builder.makeInputRef(left, ordinal),
              builder.makeInputRef(type, width + ordinal)));
    }
    RexNode condition = RexUtil.composeConjunction(builder, conditions);
    return own(LogicalJoin.create(left, right, List.of(), condition, Set.of(), JoinRelType.ANTI));
  }

  /** The columns of this table. */
  private RelNode own(RelNode rows) {
    RexBuilder builder = rows.getCluster().getRexBuilder();
    List<RexNode> columns = new ArrayList<>();
    for (int i = 0; i < columns().size(); i++) {
      columns.add(builder.makeInputRef(rows, i));
    }
    return LogicalProject.create(
        rows, List.of(), columns, columns().stream().map(TableColumn::name).toList(), Set.of());
  }

  private RelNode scan(RelOptCluster cluster, Part part) {
    RelDataTypeFactory types = cluster.getTypeFactory();
    List<TableColumn> columns = new ArrayList<>(columns());
    add(columns, FILE, types.createSqlType(SqlTypeName.VARCHAR), MetadataColumn.FILE_PATH);
    add(columns, POSITION, types.createSqlType(SqlTypeName.BIGINT), MetadataColumn.ROW_POSITION);
    ChangeRelTable files = new ChangeRelTable(snapshot, new ChangeRequest(range, part), columns);
    RelOptTable registered =
        RelOptTableImpl.create(
            null, files.getRowType(types), files.path(), files, (Expression) null);
    return LogicalTableScan.create(cluster, registered, List.of());
  }

  private static void add(
      List<TableColumn> columns, String name, RelDataType type, MetadataColumn column) {
    if (columns.stream().noneMatch(known -> known.name().equals(name))) {
      columns.add(new TableColumn(name, type, new TableColumn.Metadata(column)));
    }
  }
}
