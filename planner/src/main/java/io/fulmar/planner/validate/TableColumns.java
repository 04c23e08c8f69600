package io.fulmar.planner.validate;

import io.fulmar.catalog.metadata.TableSnapshot;
import io.fulmar.engine.plan.MetadataColumn;
import io.fulmar.planner.type.SqlTypes;
import io.fulmar.planner.type.SqlTypes.Nullability;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.Partitioning;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StaticTableOperations;
import org.apache.iceberg.types.Types;

/** The columns of tables as SQL sees them. */
final class TableColumns {
  private static final Map<String, MetadataColumn> METADATA = new LinkedHashMap<>();

  static {
    METADATA.put("_file", MetadataColumn.FILE_PATH);
    METADATA.put("_pos", MetadataColumn.ROW_POSITION);
    METADATA.put("_spec_id", MetadataColumn.SPEC_ID);
    METADATA.put("_partition", MetadataColumn.PARTITION);
    METADATA.put("_row_id", MetadataColumn.ROW_ID);
    METADATA.put("_last_updated_sequence_number", MetadataColumn.LAST_UPDATED_SEQUENCE_NUMBER);
  }

  private TableColumns() {}

  /** Names of the columns that {@code *} leaves out, in lower case. */
  static Set<String> metadataNames() {
    return METADATA.keySet();
  }

  static List<TableColumn> of(RelDataTypeFactory factory, Schema schema) {
    List<TableColumn> columns = new ArrayList<>();
    for (Types.NestedField field : schema.columns()) {
      columns.add(
          new TableColumn(
              field.name(),
              SqlTypes.fromIceberg(
                  factory,
                  field.type(),
                  field.isOptional() ? Nullability.NULLABLE : Nullability.REQUIRED),
              new TableColumn.SchemaField(field.fieldId())));
    }
    return columns;
  }

  /**
   * The columns of the schema, then those metadata columns that the statement names and that no
   * column of the schema hides.
   *
   * @param named names of the statement, in lower case
   */
  static List<TableColumn> of(RelDataTypeFactory factory, TableSnapshot table, Set<String> named) {
    List<TableColumn> columns = of(factory, table.schema());
    METADATA.forEach(
        (name, column) -> {
          if (named.contains(name) && table.schema().caseInsensitiveFindField(name) == null) {
            columns.add(
                new TableColumn(
                    name, type(factory, table, column), new TableColumn.Metadata(column)));
          }
        });
    return columns;
  }

  /** All partition fields of all specs. */
  private static Types.StructType partitionType(TableSnapshot table) {
    StaticTableOperations operations = new StaticTableOperations(table.metadata(), table.io());
    return Partitioning.partitionType(new BaseTable(operations, table.displayName()));
  }

  private static RelDataType type(
      RelDataTypeFactory factory, TableSnapshot table, MetadataColumn column) {
    return switch (column) {
      case FILE_PATH -> factory.createSqlType(SqlTypeName.VARCHAR);
      case ROW_POSITION -> factory.createSqlType(SqlTypeName.BIGINT);
      case SPEC_ID -> factory.createSqlType(SqlTypeName.INTEGER);
      case PARTITION -> SqlTypes.fromIceberg(factory, partitionType(table), Nullability.NULLABLE);
      case ROW_ID, LAST_UPDATED_SEQUENCE_NUMBER, DATA_SEQUENCE_NUMBER ->
          factory.createTypeWithNullability(factory.createSqlType(SqlTypeName.BIGINT), true);
      case METADATA_COLUMN_UNSPECIFIED, UNRECOGNIZED ->
          throw new IllegalArgumentException(
              "Not a metadata column: " + column.name().toLowerCase(Locale.ROOT));
    };
  }
}
