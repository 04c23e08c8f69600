package io.fulmar.planner.validate;

import java.util.List;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalTableScan;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.StructKind;
import org.apache.calcite.schema.TranslatableTable;
import org.apache.calcite.schema.impl.AbstractTable;

/**
 * What tables of a statement share: a fixed row type, and unless they say otherwise a scan as their
 * relational form.
 */
abstract class StatementTable extends AbstractTable implements TranslatableTable {
  private final List<TableColumn> columns;

  StatementTable(List<TableColumn> columns) {
    this.columns = List.copyOf(columns);
  }

  /** For people. */
  abstract String displayName();

  /** Catalog, levels of the schema, and name, as the catalog spells them. */
  abstract List<String> path();

  /** One for each field of the row type, in order. */
  public final List<TableColumn> columns() {
    return columns;
  }

  /** Whether {@code *} leaves out the column of this ordinal. */
  final boolean isHidden(int ordinal) {
    return columns.get(ordinal).isHidden();
  }

  @Override
  public final RelDataType getRowType(RelDataTypeFactory factory) {
    return factory.createStructType(
        StructKind.FULLY_QUALIFIED,
        columns.stream().map(TableColumn::type).toList(),
        columns.stream().map(TableColumn::name).toList());
  }

  @Override
  public RelNode toRel(RelOptTable.ToRelContext context, RelOptTable table) {
    return LogicalTableScan.create(context.getCluster(), table, context.getTableHints());
  }
}
