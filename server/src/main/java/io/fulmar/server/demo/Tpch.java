package io.fulmar.server.demo;

import com.google.common.collect.Iterables;
import io.trino.tpch.TpchColumn;
import io.trino.tpch.TpchEntity;
import io.trino.tpch.TpchTable;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/** The eight TPC-H tables, as the specification types them: DECIMAL(15,2), DATE, BIGINT keys. */
final class Tpch {
  private static final int ROWS_PER_FILE = 150_000;

  private Tpch() {}

  static void create(
      Catalog catalog, Namespace namespace, double scaleFactor, Consumer<String> progress) {
    for (TpchTable<?> table : TpchTable.getTables()) {
      create(catalog, namespace, table, scaleFactor);
      progress.accept(namespace + "." + table.getTableName());
    }
  }

  private static <E extends TpchEntity> void create(
      Catalog catalog, Namespace namespace, TpchTable<E> source, double scaleFactor) {
    List<TpchColumn<E>> columns = source.getColumns();
    List<Types.NestedField> fields = new ArrayList<>();
    for (TpchColumn<E> column : columns) {
      fields.add(
          Types.NestedField.required(fields.size() + 1, column.getColumnName(), type(column)));
    }
    Table table =
        catalog.createTable(
            TableIdentifier.of(namespace, source.getTableName()),
            new Schema(fields),
            PartitionSpec.unpartitioned(),
            Map.of("format-version", "2"));
    TableFiles files = new TableFiles(table);
    Iterable<E> rows = source.createGenerator(scaleFactor, 1, 1);
    for (List<E> part : Iterables.partition(rows, ROWS_PER_FILE)) {
      Iterable<Record> records =
          Iterables.transform(
              part,
              row -> files.record(columns.stream().map(column -> value(column, row)).toArray()));
      table.newAppend().appendFile(files.data(null, records)).commit();
    }
  }

  private static Type type(TpchColumn<?> column) {
    return switch (column.getType().getBase()) {
      case IDENTIFIER -> Types.LongType.get();
      case INTEGER -> Types.IntegerType.get();
      case DATE -> Types.DateType.get();
      case DOUBLE -> Types.DecimalType.of(15, 2);
      case VARCHAR -> Types.StringType.get();
    };
  }

  private static <E extends TpchEntity> Object value(TpchColumn<E> column, E row) {
    return switch (column.getType().getBase()) {
      case IDENTIFIER -> column.getIdentifier(row);
      case INTEGER -> column.getInteger(row);
      case DATE -> LocalDate.ofEpochDay(column.getDate(row));
      case DOUBLE ->
          BigDecimal.valueOf(column.getDouble(row)).setScale(2, java.math.RoundingMode.HALF_EVEN);
      case VARCHAR -> column.getString(row);
    };
  }
}
