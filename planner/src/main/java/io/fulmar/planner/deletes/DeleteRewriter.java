package io.fulmar.planner.deletes;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.metadata.DeleteInventory;
import io.fulmar.catalog.metadata.TableSnapshot;
import io.fulmar.catalog.scan.ChangeRange;
import io.fulmar.catalog.scan.ChangeRequest;
import io.fulmar.engine.plan.MetadataColumn;
import io.fulmar.planner.validate.ChangeRelTable;
import io.fulmar.planner.validate.IcebergRelTable;
import io.fulmar.planner.validate.TableColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.iceberg.SnapshotSummary;

/**
 * Rewrites scans of Iceberg tables: data scan ANTI JOIN position deletes on path and position, ANTI
 * JOIN each set of equality deletes on null-safe keys and a lower data sequence number (rules R10,
 * R11, R15, R16), under a projection that leaves SQL's columns. Position deletes come first: they
 * count physical rows (rule R22). Runs after decorrelation and before trimming.
 */
public final class DeleteRewriter {
  private static final String PATH = "_file";
  private static final String POSITION = "_pos";
  private static final String SEQUENCE = "_data_sequence_number";

  private final Function<TableSnapshot, DeleteInventory> inventory;

  /**
   * @param inventory gives the live deletes of a snapshot
   */
  public DeleteRewriter(Function<TableSnapshot, DeleteInventory> inventory) {
    this.inventory = requireNonNull(inventory, "inventory is null");
  }

  /** Rewrites every scan below {@code root}; its row type stays. */
  public RelNode rewrite(RelNode root) {
    FieldAccesses accesses = new FieldAccesses();
    root.accept(accesses);
    return root.accept(new Scans(accesses.found));
  }

  private final class Scans extends RelHomogeneousShuttle {
    private final boolean nested;
    private int next;

    Scans(boolean nested) {
      this.nested = nested;
    }

    @Override
    public RelNode visit(RelNode other) {
      if (other instanceof TableScan scan) {
        IcebergRelTable table = scan.getTable().unwrap(IcebergRelTable.class);
        ChangeRelTable changes = scan.getTable().unwrap(ChangeRelTable.class);
        if (changes != null) {
          return new Rewrite(
                  scan,
                  changes.snapshot(),
                  changes.columns(),
                  Optional.of(changes.changes()),
                  next++,
                  nested)
              .apply();
        }
        return table == null
            ? scan
            : new Rewrite(scan, table.snapshot(), table.columns(), Optional.empty(), next++, nested)
                .apply();
      }
      return super.visit(other);
    }
  }

  /** Whether a plan reads fields of structs, so that scans should offer them one by one. */
  private static final class FieldAccesses extends RelHomogeneousShuttle {
    private boolean found;

    private final RexShuttle expressions =
        new RexShuttle() {
          @Override
          public RexNode visitFieldAccess(RexFieldAccess access) {
            found = true;
            return access;
          }
        };

    @Override
    public RelNode visit(RelNode other) {
      other.accept(expressions);
      return super.visit(other);
    }
  }

  private final class Rewrite {
    private final TableScan scan;
    private final TableSnapshot snapshot;
    private final RelOptCluster cluster;
    private final RelDataTypeFactory types;
    private final RexBuilder builder;
    private final int number;
    private final ScanColumns columns;
    private final DeleteInventory deletes;
    private final Optional<ChangeRequest> changes;

    Rewrite(
        TableScan scan,
        TableSnapshot snapshot,
        List<TableColumn> columns,
        Optional<ChangeRequest> changes,
        int number,
        boolean nested) {
      this.scan = scan;
      this.snapshot = snapshot;
      this.changes = changes;
      this.cluster = scan.getCluster();
      this.types = cluster.getTypeFactory();
      this.builder = cluster.getRexBuilder();
      this.number = number;
      this.columns = new ScanColumns(cluster, snapshot, columns);
      this.deletes = changes.map(this::ofAll).orElseGet(() -> inventory.apply(snapshot));
      if (nested) {
        this.columns.addNested();
      }
    }

    /** The deletes of all snapshots of a range. */
    private DeleteInventory ofAll(ChangeRequest request) {
      DeleteInventory sum = DeleteInventory.NONE;
      for (ChangeRange.Commit commit : request.range().commits()) {
        if (commit.before().isPresent()) {
          sum = sum.plus(inventory.apply(snapshot.at(commit.before())));
        }
        sum = sum.plus(inventory.apply(snapshot.at(Optional.of(commit.after()))));
      }
      return sum;
    }

    RelNode apply() {
      List<AntiJoin> joins = new ArrayList<>();
      if (deletes.hasPositionDeletes()) {
        joins.add(positions());
      }
      for (List<Integer> fieldIds : deletes.equalityIdSets()) {
        joins.add(equality(fieldIds));
      }
      RelNode plan =
          new DataScan(cluster, number, snapshot, columns.all(), deletes, changes, rows(snapshot));
      for (AntiJoin join : joins) {
        plan = join.over(plan);
      }
      return visible(plan);
    }

    private AntiJoin positions() {
      RelDataType path = types.createSqlType(SqlTypeName.VARCHAR);
      RelDataType position = types.createSqlType(SqlTypeName.BIGINT);
      List<Integer> left =
          List.of(
              columns.metadata(PATH, MetadataColumn.FILE_PATH, path),
              columns.metadata(POSITION, MetadataColumn.ROW_POSITION, position));
      return antiJoin(new DeleteScan.Positions(), left, SqlStdOperatorTable.EQUALS);
    }

    private AntiJoin equality(List<Integer> fieldIds) {
      List<Integer> left = new ArrayList<>();
      for (int fieldId : fieldIds) {
        left.add(columns.field(fieldId));
      }
      left.add(
          columns.metadata(
              SEQUENCE,
              MetadataColumn.DATA_SEQUENCE_NUMBER,
              types.createSqlType(SqlTypeName.BIGINT)));
      return antiJoin(
          new DeleteScan.Equality(fieldIds), left, SqlStdOperatorTable.IS_NOT_DISTINCT_FROM);
    }

    private AntiJoin antiJoin(DeleteScan.Kind kind, List<Integer> left, SqlOperator equality) {
      List<TableColumn> right = left.stream().map(columns::get).toList();
      return new AntiJoin(
          new DeleteScan(cluster, number, snapshot.displayName(), kind, right), left, equality);
    }

    private RelNode visible(RelNode plan) {
      List<RexNode> refs = new ArrayList<>();
      List<String> names = scan.getRowType().getFieldNames();
      if (plan.getRowType().equals(scan.getRowType())) {
        return plan;
      }
      for (int i = 0; i < names.size(); i++) {
        refs.add(builder.makeInputRef(plan, i));
      }
      return LogicalProject.create(plan, List.of(), refs, names, Set.of());
    }
  }

  /** {@code left} lists the data scan's columns that meet the delete scan's, in order. */
  private record AntiJoin(DeleteScan deletes, List<Integer> left, SqlOperator equality) {
    RelNode over(RelNode data) {
      RexBuilder builder = data.getCluster().getRexBuilder();
      int width = data.getRowType().getFieldCount();
      List<RexNode> conditions = new ArrayList<>();
      for (int i = 0; i < left.size(); i++) {
        boolean sequence = deletes.kind() instanceof DeleteScan.Equality && i == left.size() - 1;
        conditions.add(
            builder.makeCall(
                sequence ? SqlStdOperatorTable.LESS_THAN : equality,
                builder.makeInputRef(data, left.get(i)),
                builder.makeInputRef(
                    deletes.getRowType().getFieldList().get(i).getType(), width + i)));
      }
      return LogicalJoin.create(
          data,
          deletes,
          List.of(),
          RexUtil.composeConjunction(builder, conditions),
          Set.of(),
          JoinRelType.ANTI);
    }
  }

  private static OptionalLong rows(TableSnapshot snapshot) {
    return snapshot
        .snapshot()
        .map(current -> current.summary().get(SnapshotSummary.TOTAL_RECORDS_PROP))
        .map(records -> OptionalLong.of(Long.parseLong(records)))
        .orElse(OptionalLong.empty());
  }
}
