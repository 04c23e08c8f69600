package io.fulmar.planner.transport;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.host.HostTable;
import io.fulmar.catalog.metadata.TableSnapshot;
import io.fulmar.catalog.scan.ScanOptions;
import io.fulmar.catalog.scan.ScanRequest;
import io.fulmar.engine.plan.FieldPath;
import io.fulmar.engine.plan.HostScanRel;
import io.fulmar.engine.plan.KeySet;
import io.fulmar.engine.plan.Rel;
import io.fulmar.engine.plan.ScanColumn;
import io.fulmar.engine.plan.ScanRel;
import io.fulmar.planner.QueryPlan;
import io.fulmar.planner.deletes.DataScan;
import io.fulmar.planner.deletes.FieldLookup;
import io.fulmar.planner.type.PlanTypes;
import io.fulmar.planner.validate.HostRelTable;
import io.fulmar.planner.validate.TableColumn;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.iceberg.SnapshotSummary;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.types.Types;

/** Scans of data files and of host tables, and what executing them needs beside the plan. */
final class ScanEncoder {
  private final ExprEncoder expressions;
  private final RexBuilder builder;
  private final ScanOptions options;
  private final DeleteLowering deletes;
  private final List<QueryPlan.TableScan> tableScans = new ArrayList<>();
  private final List<QueryPlan.HostScan> hostScans = new ArrayList<>();

  ScanEncoder(
      ExprEncoder expressions, RexBuilder builder, ScanOptions options, DeleteLowering deletes) {
    this.expressions = requireNonNull(expressions, "expressions is null");
    this.builder = requireNonNull(builder, "builder is null");
    this.options = requireNonNull(options, "options is null");
    this.deletes = requireNonNull(deletes, "deletes is null");
  }

  List<QueryPlan.TableScan> tableScans() {
    return tableScans;
  }

  List<QueryPlan.HostScan> hostScans() {
    return hostScans;
  }

  /** The columns of {@code shape} in order, pruned by its conjuncts; the caller still filters. */
  Rel data(ScanShape shape) {
    DataScan scan = shape.scan();
    deletes.verify(scan);
    TableSnapshot snapshot = scan.snapshot();
    int id = nextId();
    ScanRel.Builder encoded =
        ScanRel.newBuilder()
            .setScanId(id)
            .setTable(snapshot.displayName())
            .setSnapshotId(snapshot.snapshot().map(current -> current.snapshotId()).orElse(0L))
            .setRowCount(summary(snapshot, SnapshotSummary.TOTAL_RECORDS_PROP))
            .setByteCount(summary(snapshot, SnapshotSummary.TOTAL_FILE_SIZE_PROP))
            .setNameMapping(snapshot.metadata().property(TableProperties.DEFAULT_NAME_MAPPING, ""))
            .putAllStorage(snapshot.storage())
            .setPositionDeletes(scan.deletes().hasPositionDeletes());
    Set<Integer> fieldIds = new LinkedHashSet<>();
    for (int i = 0; i < shape.ordinals().size(); i++) {
      encoded.addColumns(column(shape.column(i), fieldIds));
    }
    ScanSchema schema = new ScanSchema(snapshot);
    fieldIds.forEach(schema::add);
    for (List<Integer> key : scan.deletes().equalityIdSets()) {
      encoded.addEqualityDeletes(KeySet.newBuilder().addAllFieldIds(key));
      key.forEach(schema::add);
    }
    encoded.addAllSchema(schema.fields());
    List<RexNode> simple = PruningFilters.simple(shape.conjuncts());
    if (!simple.isEmpty()) {
      encoded.setFilter(expressions.encode(RexUtil.composeConjunction(builder, simple)));
    }
    tableScans.add(
        new QueryPlan.TableScan(
            id,
            new ScanRequest(
                snapshot, fieldIds, IcebergFilters.convert(shape), options, scan.changes())));
    return Rel.newBuilder().setScan(encoded).build();
  }

  private static ScanColumn column(TableColumn column, Set<Integer> fieldIds) {
    ScanColumn.Builder encoded =
        ScanColumn.newBuilder().setName(column.name()).setType(PlanTypes.type(column.type()));
    if (column.source() instanceof TableColumn.SchemaField field) {
      fieldIds.add(field.fieldId());
      encoded.setField(FieldPath.newBuilder().setFieldId(field.fieldId()));
    } else if (column.source() instanceof TableColumn.Metadata metadata) {
      encoded.setMetadata(metadata.column());
    }
    return encoded.build();
  }

  private static long summary(TableSnapshot snapshot, String property) {
    return snapshot
        .snapshot()
        .map(current -> current.summary().get(property))
        .map(ScanEncoder::count)
        .orElse(0L);
  }

  /** Counts of other writers are hints: what is no count is unknown. */
  private static long count(String text) {
    try {
      return Math.max(0, Long.parseLong(text));
    } catch (NumberFormatException notACount) {
      return 0;
    }
  }

  /** All columns of a host table, which leaves out what the filter does not match if it can. */
  Rel host(HostRelTable table, RelDataType rowType, Expression filter) {
    int id = nextId();
    HostTable rows =
        options.pruning() == ScanOptions.Pruning.ENABLED
            ? table.table().filtered(filter)
            : table.table();
    hostScans.add(new QueryPlan.HostScan(id, rows));
    HostScanRel encoded =
        HostScanRel.newBuilder()
            .setScanId(id)
            .setTable(table.table().name())
            .addAllColumns(PlanTypes.fields(rowType))
            .build();
    return Rel.newBuilder().setHostScan(encoded).build();
  }

  private int nextId() {
    return tableScans.size() + hostScans.size() + 1;
  }

  /** The ordinal of a column that is cheap to read, for a scan that needs rows but no column. */
  static int cheapest(DataScan scan) {
    List<TableColumn> columns = scan.columns();
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).source() instanceof TableColumn.SchemaField field) {
        Types.NestedField found =
            FieldLookup.find(scan.snapshot(), field.fieldId())
                .orElseThrow(
                    () -> new FulmarException(ErrorCode.INTERNAL_ERROR, "A column without field"));
        if (isNarrow(found)) {
          return i;
        }
      }
    }
    return 0;
  }

  private static boolean isNarrow(Types.NestedField field) {
    return switch (field.type().typeId()) {
      case BOOLEAN, INTEGER, LONG, FLOAT, DOUBLE, DATE, TIME, TIMESTAMP, TIMESTAMP_NANO -> true;
      default -> false;
    };
  }
}
