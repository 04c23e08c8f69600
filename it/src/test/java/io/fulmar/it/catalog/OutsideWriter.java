package io.fulmar.it.catalog;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.GenericFileWriterFactory;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.deletes.EqualityDeleteWriter;
import org.apache.iceberg.encryption.EncryptedOutputFile;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.types.Types;

/** Another process that upserts into a table of a catalog, as Flink does. */
final class OutsideWriter {
  private static final Types.NestedField ID =
      Types.NestedField.required(1, "id", Types.LongType.get());
  private static final Schema SCHEMA =
      new Schema(ID, Types.NestedField.optional(2, "name", Types.StringType.get()));

  private final Table table;

  private OutsideWriter(Table table) {
    this.table = table;
  }

  static OutsideWriter create(Catalog catalog, TableIdentifier identifier) {
    return new OutsideWriter(
        catalog
            .buildTable(identifier, SCHEMA)
            .withProperty(TableProperties.FORMAT_VERSION, "2")
            .create());
  }

  /** One commit: the keys' old rows go, the new ones come. */
  void upsert(Map<Long, String> rows) {
    EqualityDeleteWriter<Record> deletes =
        new GenericFileWriterFactory.Builder(table)
            .equalityFieldIds(new int[] {ID.fieldId()})
            .equalityDeleteRowSchema(new Schema(ID))
            .build()
            .newEqualityDeleteWriter(newFile(), table.spec(), null);
    DataWriter<Record> data =
        new GenericFileWriterFactory.Builder(table)
            .dataSchema(SCHEMA)
            .build()
            .newDataWriter(newFile(), table.spec(), null);
    try (deletes;
        data) {
      for (Map.Entry<Long, String> row : rows.entrySet()) {
        deletes.write(record(new Schema(ID), List.of(row.getKey())));
        data.write(record(SCHEMA, List.of(row.getKey(), row.getValue())));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    RowDelta delta = table.newRowDelta();
    delta.addRows(data.toDataFile()).addDeletes(deletes.toDeleteFile()).commit();
  }

  private EncryptedOutputFile newFile() {
    return OutputFileFactory.builderFor(table, 0, 0)
        .operationId(UUID.randomUUID().toString())
        .format(FileFormat.PARQUET)
        .build()
        .newOutputFile();
  }

  private static Record record(Schema schema, List<Object> values) {
    Record row = GenericRecord.create(schema);
    for (int i = 0; i < values.size(); i++) {
      row.set(i, values.get(i));
    }
    return row;
  }
}
