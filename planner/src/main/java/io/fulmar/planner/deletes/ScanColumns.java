package io.fulmar.planner.deletes;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.metadata.TableSnapshot;
import io.fulmar.engine.plan.MetadataColumn;
import io.fulmar.planner.type.SqlTypes;
import io.fulmar.planner.validate.TableColumn;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.iceberg.types.Types;

/** Collects the columns of one {@link DataScan}: SQL's, then hidden ones as they are asked for. */
final class ScanColumns {
  private final RelOptCluster cluster;
  private final TableSnapshot snapshot;
  private final List<TableColumn> columns = new ArrayList<>();
  private final Set<String> names = new HashSet<>();
  private final Map<TableColumn.Source, Integer> bySource = new HashMap<>();

  ScanColumns(RelOptCluster cluster, TableSnapshot snapshot, List<TableColumn> visible) {
    this.cluster = requireNonNull(cluster, "cluster is null");
    this.snapshot = requireNonNull(snapshot, "snapshot is null");
    visible.forEach(this::add);
  }

  List<TableColumn> all() {
    return columns;
  }

  TableColumn get(int ordinal) {
    return columns.get(ordinal);
  }

  /** The ordinal of a column that the reader knows beside the data. */
  int metadata(String name, MetadataColumn column, RelDataType type) {
    return ordinal(name, type, new TableColumn.Metadata(column));
  }

  /** The ordinal of a field of any depth, of the table's SQL schema or of an older one (R19). */
  int field(int fieldId) {
    Types.NestedField field =
        FieldLookup.find(snapshot, fieldId)
            .orElseThrow(
                () ->
                    new FulmarException(
                        ErrorCode.INVALID_METADATA,
                        "Table "
                            + snapshot.displayName()
                            + ": equality deletes name field "
                            + fieldId
                            + ", which no schema of the table has"));
    RelDataType type =
        SqlTypes.fromIceberg(cluster.getTypeFactory(), field.type(), SqlTypes.Nullability.NULLABLE);
    return ordinal(
        FieldLookup.fullName(snapshot, fieldId), type, new TableColumn.SchemaField(fieldId));
  }

  /** Adds a column for each field below a struct, in the types that field accesses have. */
  void addNested() {
    RexBuilder builder = cluster.getRexBuilder();
    List<TableColumn> visible = List.copyOf(columns);
    for (int i = 0; i < visible.size(); i++) {
      TableColumn column = visible.get(i);
      if (column.type().isStruct() && column.source() instanceof TableColumn.SchemaField source) {
        Types.NestedField field = snapshot.schema().findField(source.fieldId());
        addNested(
            column.name(), field.type().asStructType(), builder.makeInputRef(column.type(), i));
      }
    }
  }

  private void addNested(String path, Types.StructType struct, RexNode parent) {
    RexBuilder builder = cluster.getRexBuilder();
    List<RelDataTypeField> children = parent.getType().getFieldList();
    for (int i = 0; i < children.size(); i++) {
      Types.NestedField child = struct.fields().get(i);
      RexNode access = builder.makeFieldAccess(parent, i);
      String childPath = path + "." + child.name();
      ordinal(childPath, access.getType(), new TableColumn.SchemaField(child.fieldId()));
      if (child.type().isStructType()) {
        addNested(childPath, child.type().asStructType(), access);
      }
    }
  }

  private int ordinal(String name, RelDataType type, TableColumn.Source source) {
    Integer known = bySource.get(source);
    if (known != null) {
      return known;
    }
    String unique = name;
    while (names.contains(unique)) {
      unique = "_" + unique;
    }
    add(new TableColumn(unique, type, source));
    return columns.size() - 1;
  }

  private void add(TableColumn column) {
    names.add(column.name());
    bySource.putIfAbsent(column.source(), columns.size());
    columns.add(column);
  }
}
