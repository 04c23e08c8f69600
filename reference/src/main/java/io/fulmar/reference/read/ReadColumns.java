package io.fulmar.reference.read;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.metadata.TableSnapshot;
import io.fulmar.engine.plan.MetadataColumn;
import io.fulmar.planner.backend.TableRead;
import io.fulmar.planner.validate.TableColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.Partitioning;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StaticTableOperations;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.types.Types;

/**
 * The columns of a read.
 *
 * @param stored what is read of files: the wanted fields, and those of row lineage
 * @param cells how each column of the result is made
 * @param schema of the result, variants as text; ids are only unique
 * @param partitionType all partition fields of all specs
 */
record ReadColumns(
    List<Types.NestedField> stored,
    List<Cell> cells,
    Schema schema,
    Types.StructType partitionType) {
  /** A column of the result. */
  sealed interface Cell {}

  /** A stored column, by its ordinal. */
  record Stored(int ordinal, Type type) implements Cell {}

  /** What the reader knows beside the data. */
  record Known(MetadataColumn column) implements Cell {}

  /** A row lineage column, whose stored value wins (rule R36). */
  record Lineage(MetadataColumn column, int ordinal) implements Cell {}

  static ReadColumns of(TableRead read) {
    Types.StructType partition = partitionType(read.table());
    List<Types.NestedField> stored = new ArrayList<>();
    List<Cell> cells = new ArrayList<>();
    List<Types.NestedField> result = new ArrayList<>();
    AtomicInteger ids = new AtomicInteger();
    for (TableColumn column : read.columns()) {
      Type type;
      if (column.source() instanceof TableColumn.SchemaField field) {
        Types.NestedField found = top(read.table(), field.fieldId());
        type = found.type();
        cells.add(new Stored(stored.size(), type));
        stored.add(found);
      } else {
        MetadataColumn metadata = ((TableColumn.Metadata) column.source()).column();
        type = type(metadata, partition);
        cells.add(cell(metadata, stored));
      }
      result.add(
          Types.NestedField.optional(
              ids.incrementAndGet(), column.name(), VariantText.shown(type)));
    }
    Schema schema = TypeUtil.assignFreshIds(new Schema(unique(result)), ids::incrementAndGet);
    return new ReadColumns(stored, cells, schema, partition);
  }

  /** Nested ids may meet those that were just given. */
  private static List<Types.NestedField> unique(List<Types.NestedField> fields) {
    AtomicInteger ids = new AtomicInteger();
    return fields.stream()
        .map(
            field ->
                Types.NestedField.optional(
                    ids.incrementAndGet(),
                    field.name(),
                    TypeUtil.assignFreshIds(field.type(), ids::incrementAndGet)))
        .toList();
  }

  private static Cell cell(MetadataColumn column, List<Types.NestedField> stored) {
    return switch (column) {
      case ROW_ID -> lineage(column, MetadataColumns.ROW_ID, stored);
      case LAST_UPDATED_SEQUENCE_NUMBER ->
          lineage(column, MetadataColumns.LAST_UPDATED_SEQUENCE_NUMBER, stored);
      default -> new Known(column);
    };
  }

  private static Cell lineage(
      MetadataColumn column, Types.NestedField field, List<Types.NestedField> stored) {
    stored.add(field);
    return new Lineage(column, stored.size() - 1);
  }

  private static Types.NestedField top(TableSnapshot table, int fieldId) {
    return table.schema().columns().stream()
        .filter(column -> column.fieldId() == fieldId)
        .findFirst()
        .orElseThrow(
            () ->
                new FulmarException(
                    ErrorCode.INTERNAL_ERROR,
                    "Table " + table.displayName() + " has no field " + fieldId));
  }

  private static Type type(MetadataColumn column, Types.StructType partition) {
    return switch (column) {
      case FILE_PATH -> Types.StringType.get();
      case SPEC_ID -> Types.IntegerType.get();
      case PARTITION -> partition;
      case ROW_POSITION, ROW_ID, LAST_UPDATED_SEQUENCE_NUMBER, DATA_SEQUENCE_NUMBER ->
          Types.LongType.get();
      case METADATA_COLUMN_UNSPECIFIED, UNRECOGNIZED ->
          throw new IllegalArgumentException("Not a metadata column: " + column);
    };
  }

  private static Types.StructType partitionType(TableSnapshot table) {
    StaticTableOperations operations = new StaticTableOperations(table.metadata(), table.io());
    return Partitioning.partitionType(new BaseTable(operations, table.displayName()));
  }
}
