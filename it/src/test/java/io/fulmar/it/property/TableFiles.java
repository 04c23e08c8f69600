package io.fulmar.it.property;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionKey;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.GenericFileWriterFactory;
import org.apache.iceberg.data.InternalRecordWrapper;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.deletes.BaseDVFileWriter;
import org.apache.iceberg.deletes.EqualityDeleteWriter;
import org.apache.iceberg.deletes.PositionDelete;
import org.apache.iceberg.deletes.PositionDeleteWriter;
import org.apache.iceberg.encryption.EncryptedOutputFile;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.types.Types;

/** Writes files in random formats with many small row groups and pages; commits nothing. */
final class TableFiles {
  private static final FileFormat[] FORMATS = {
    FileFormat.PARQUET, FileFormat.PARQUET, FileFormat.ORC, FileFormat.AVRO
  };
  private static final String[] CODECS = {"zstd", "snappy", "gzip", "uncompressed"};

  private final Random random;
  private final Table table;

  TableFiles(Random random, Table table) {
    this.random = random;
    this.table = table;
  }

  /** One file for each partition of the current spec that the rows fall into. */
  List<ModelFile> data(List<Map<Integer, Object>> rows) {
    Map<PartitionKey, List<Map<Integer, Object>>> partitions = new LinkedHashMap<>();
    InternalRecordWrapper wrapper = new InternalRecordWrapper(table.schema().asStruct());
    PartitionKey key = new PartitionKey(table.spec(), table.schema());
    for (Map<Integer, Object> row : rows) {
      key.partition(wrapper.wrap(Projection.record(table.schema().asStruct(), row)));
      partitions.computeIfAbsent(key.copy(), fresh -> new ArrayList<>()).add(row);
    }
    List<ModelFile> files = new ArrayList<>();
    partitions.forEach((tuple, each) -> files.add(data(table.spec(), tuple, each)));
    return files;
  }

  /** One file of a spec and partition, in the current schema. */
  ModelFile data(PartitionSpec spec, StructLike partition, List<Map<Integer, Object>> rows) {
    FileFormat format = format();
    DataWriter<Record> writer =
        new GenericFileWriterFactory.Builder(table)
            .dataFileFormat(format)
            .dataSchema(table.schema())
            .writerProperties(properties())
            .build()
            .newDataWriter(newFile(format, spec, partition), spec, partition);
    try (writer) {
      rows.forEach(row -> writer.write(Projection.record(table.schema().asStruct(), row)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    DataFile file = writer.toDataFile();
    ModelFile model = new ModelFile(file, spec);
    for (int i = 0; i < rows.size(); i++) {
      model.rows().add(new ModelRow(model, i, rows.get(i)));
    }
    return model;
  }

  /** Keys by field id. */
  DeleteFile equality(ModelFile scope, Set<Integer> ids, List<Map<Integer, Object>> keys) {
    Schema schema = TypeUtil.select(table.schema(), ids);
    int[] order = ids.stream().mapToInt(Integer::intValue).toArray();
    FileFormat format = format();
    EqualityDeleteWriter<Record> writer =
        new GenericFileWriterFactory.Builder(table)
            .deleteFileFormat(format)
            .equalityFieldIds(order)
            .equalityDeleteRowSchema(schema)
            .writerProperties(properties())
            .build()
            .newEqualityDeleteWriter(
                newFile(format, scope.spec(), scope.file().partition()),
                scope.spec(),
                scope.file().partition());
    try (writer) {
      keys.forEach(key -> writer.write(Projection.record(schema.asStruct(), key)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return writer.toDeleteFile();
  }

  /** One file for rows of files of one partition. */
  DeleteFile positions(List<ModelRow> rows) {
    ModelFile scope = rows.get(0).file();
    FileFormat format = format();
    PositionDeleteWriter<Record> writer =
        new GenericFileWriterFactory.Builder(table)
            .deleteFileFormat(format)
            .writerProperties(properties())
            .build()
            .newPositionDeleteWriter(
                newFile(format, scope.spec(), scope.file().partition()),
                scope.spec(),
                scope.file().partition());
    PositionDelete<Record> delete = PositionDelete.create();
    try (writer) {
      rows.stream()
          .sorted(
              java.util.Comparator.comparing((ModelRow row) -> row.file().file().location())
                  .thenComparing(ModelRow::position))
          .forEach(row -> writer.write(delete.set(row.file().file().location(), row.position())));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return writer.toDeleteFile();
  }

  /** A vector for each file, of all its deleted positions, in one Puffin file. */
  Map<ModelFile, DeleteFile> vectors(List<ModelFile> files) {
    OutputFileFactory puffins =
        OutputFileFactory.builderFor(table, 0, 0)
            .operationId(operation())
            .format(FileFormat.PUFFIN)
            .build();
    BaseDVFileWriter writer = new BaseDVFileWriter(puffins, path -> null);
    try (writer) {
      for (ModelFile file : files) {
        for (long position : file.deletedPositions()) {
          writer.delete(file.file().location(), position, file.spec(), file.file().partition());
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Map<String, ModelFile> byPath =
        files.stream().collect(Collectors.toMap(f -> f.file().location(), f -> f));
    Map<ModelFile, DeleteFile> vectors = new HashMap<>();
    writer.result().deleteFiles().forEach(v -> vectors.put(byPath.get(v.referencedDataFile()), v));
    return vectors;
  }

  private FileFormat format() {
    return FORMATS[random.nextInt(FORMATS.length)];
  }

  private Map<String, String> properties() {
    Map<String, String> properties = new HashMap<>();
    properties.put("write.parquet.compression-codec", CODECS[random.nextInt(CODECS.length)]);
    properties.put("write.delete.parquet.compression-codec", "zstd");
    if (random.nextBoolean()) {
      properties.put("write.parquet.row-group-size-bytes", "1024");
      properties.put("write.parquet.row-group-check-min-record-count", "2");
      properties.put("write.parquet.row-group-check-max-record-count", "6");
      properties.put("write.parquet.page-row-limit", "3");
    }
    properties.put(
        "write.parquet.dict-size-bytes", random.nextBoolean() ? "100" : String.valueOf(1 << 20));
    return properties;
  }

  private EncryptedOutputFile newFile(FileFormat format, PartitionSpec spec, StructLike partition) {
    OutputFileFactory files =
        OutputFileFactory.builderFor(table, 0, 0).operationId(operation()).format(format).build();
    return spec.isUnpartitioned() ? files.newOutputFile() : files.newOutputFile(spec, partition);
  }

  private String operation() {
    return new UUID(random.nextLong(), random.nextLong()).toString();
  }

  /** Columns whose ids are given, of the current schema. */
  static List<Types.NestedField> fields(Schema schema, Set<Integer> ids) {
    return schema.columns().stream().filter(f -> ids.contains(f.fieldId())).toList();
  }
}
