package io.fulmar.server.demo;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.UUID;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.GenericFileWriterFactory;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.deletes.BaseDVFileWriter;
import org.apache.iceberg.deletes.EqualityDeleteWriter;
import org.apache.iceberg.deletes.PositionDelete;
import org.apache.iceberg.deletes.PositionDeleteWriter;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.io.DeleteWriteResult;
import org.apache.iceberg.io.OutputFileFactory;

/** Writes data and delete files of one table under its current spec; commits nothing. */
final class TableFiles {
  private static final Map<String, String> PARQUET =
      Map.of("write.parquet.compression-codec", "zstd");

  private final Table table;
  private final OutputFileFactory files;

  TableFiles(Table table) {
    this.table = requireNonNull(table, "table is null");
    this.files =
        OutputFileFactory.builderFor(table, 0, 0)
            .operationId(UUID.randomUUID().toString())
            .format(FileFormat.PARQUET)
            .build();
  }

  /** A record of the table's current schema, fields in order. */
  Record record(Object... values) {
    return record(table.schema(), values);
  }

  static Record record(Schema schema, Object... values) {
    GenericRecord record = GenericRecord.create(schema);
    for (int i = 0; i < values.length; i++) {
      record.set(i, values[i]);
    }
    return record;
  }

  DataFile data(StructLike partition, Iterable<Record> rows) {
    GenericFileWriterFactory factory =
        new GenericFileWriterFactory.Builder(table)
            .dataFileFormat(FileFormat.PARQUET)
            .dataSchema(table.schema())
            .writerProperties(PARQUET)
            .build();
    DataWriter<Record> writer = factory.newDataWriter(newFile(partition), table.spec(), partition);
    try (writer) {
      rows.forEach(writer::write);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return writer.toDataFile();
  }

  /** An equality-delete file that holds the key columns alone. */
  DeleteFile equalityDeletes(StructLike partition, Schema keys, Iterable<Record> rows) {
    int[] ids = keys.columns().stream().mapToInt(field -> field.fieldId()).toArray();
    GenericFileWriterFactory factory =
        new GenericFileWriterFactory.Builder(table)
            .deleteFileFormat(FileFormat.PARQUET)
            .equalityFieldIds(ids)
            .equalityDeleteRowSchema(keys)
            .writerProperties(PARQUET)
            .build();
    EqualityDeleteWriter<Record> writer =
        factory.newEqualityDeleteWriter(newFile(partition), table.spec(), partition);
    try (writer) {
      rows.forEach(writer::write);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return writer.toDeleteFile();
  }

  /** A position-delete file for one data file; positions ascend. */
  DeleteFile positionDeletes(DataFile dataFile, Iterable<Long> positions) {
    GenericFileWriterFactory factory =
        new GenericFileWriterFactory.Builder(table)
            .deleteFileFormat(FileFormat.PARQUET)
            .writerProperties(PARQUET)
            .build();
    PositionDeleteWriter<Record> writer =
        factory.newPositionDeleteWriter(
            newFile(dataFile.partition()), table.spec(), dataFile.partition());
    PositionDelete<Record> delete = PositionDelete.create();
    try (writer) {
      positions.forEach(position -> writer.write(delete.set(dataFile.location(), position)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return writer.toDeleteFile();
  }

  /** Deletion vectors, one for each data file, in one Puffin file. */
  DeleteWriteResult deletionVectors(Map<DataFile, ? extends Iterable<Long>> positions) {
    OutputFileFactory puffins =
        OutputFileFactory.builderFor(table, 0, 0)
            .operationId(UUID.randomUUID().toString())
            .format(FileFormat.PUFFIN)
            .build();
    BaseDVFileWriter writer = new BaseDVFileWriter(puffins, path -> null);
    try (writer) {
      positions.forEach(
          (file, deleted) ->
              deleted.forEach(
                  position ->
                      writer.delete(file.location(), position, table.spec(), file.partition())));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return writer.result();
  }

  private org.apache.iceberg.encryption.EncryptedOutputFile newFile(StructLike partition) {
    PartitionSpec spec = table.spec();
    return spec.isUnpartitioned() ? files.newOutputFile() : files.newOutputFile(spec, partition);
  }
}
