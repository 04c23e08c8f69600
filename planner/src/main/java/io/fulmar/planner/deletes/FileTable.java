package io.fulmar.planner.deletes;

import static java.util.Objects.requireNonNull;

import io.fulmar.planner.validate.TableColumn;
import java.util.List;
import java.util.OptionalLong;
import org.apache.calcite.plan.RelOptAbstractTable;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;

/** The relational face of data or delete files. */
final class FileTable extends RelOptAbstractTable {
  private static final double UNKNOWN_ROWS = 100_000;

  private final OptionalLong rows;

  private FileTable(String name, RelDataType rowType, OptionalLong rows) {
    super(null, name, rowType);
    this.rows = requireNonNull(rows, "rows is null");
  }

  static FileTable of(
      RelOptCluster cluster, String name, List<TableColumn> columns, OptionalLong rows) {
    RelDataTypeFactory.Builder fields = cluster.getTypeFactory().builder();
    for (TableColumn column : columns) {
      fields.add(column.name(), column.type());
    }
    return new FileTable(name, fields.build(), rows);
  }

  @Override
  public double getRowCount() {
    return rows.isPresent() ? rows.getAsLong() : UNKNOWN_ROWS;
  }

  @Override
  public List<String> getQualifiedName() {
    return List.of(getName());
  }
}
