package io.fulmar.bench;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileMetadata;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.MetricsConfig;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.parquet.ParquetUtil;
import org.apache.iceberg.types.Types;

/** Describes Parquet files that another writer made to an unpartitioned Iceberg table. */
final class ParquetTable {
  private final Table table;

  ParquetTable(Table table) {
    this.table = requireNonNull(table, "table is null");
  }

  DataFile dataFile(Path file) {
    InputFile input = table.io().newInputFile("file:" + file);
    return DataFiles.builder(PartitionSpec.unpartitioned())
        .withInputFile(input)
        .withFormat(FileFormat.PARQUET)
        .withMetrics(metrics(input))
        .build();
  }

  DeleteFile equalityDeleteFile(Path file, int... fieldIds) {
    InputFile input = table.io().newInputFile("file:" + file);
    return FileMetadata.deleteFileBuilder(PartitionSpec.unpartitioned())
        .ofEqualityDeletes(fieldIds)
        .withInputFile(input)
        .withFormat(FileFormat.PARQUET)
        .withMetrics(metrics(input))
        .build();
  }

  /** Position deletes of any data files. */
  DeleteFile positionDeletes(Path file) {
    return positionDeletesBuilder(file).build();
  }

  /** Position deletes of one data file. */
  DeleteFile fileDeletes(Path file, Path dataFile) {
    return positionDeletesBuilder(file).withReferencedDataFile("file:" + dataFile).build();
  }

  private FileMetadata.Builder positionDeletesBuilder(Path file) {
    InputFile input = table.io().newInputFile("file:" + file);
    return FileMetadata.deleteFileBuilder(PartitionSpec.unpartitioned())
        .ofPositionDeletes()
        .withInputFile(input)
        .withFormat(FileFormat.PARQUET)
        .withMetrics(ParquetUtil.fileMetrics(input, MetricsConfig.forPositionDelete()));
  }

  /** DuckDB's FIELD_IDS option for these columns of the schema. */
  static String fieldIds(Schema schema, List<String> columns) {
    return columns.stream()
        .map(schema::findField)
        .map(ParquetTable::fieldId)
        .collect(Collectors.joining(", ", "{", "}"));
  }

  private static String fieldId(Types.NestedField field) {
    return field.name() + ": " + field.fieldId();
  }

  private Metrics metrics(InputFile input) {
    return ParquetUtil.fileMetrics(input, MetricsConfig.forTable(table));
  }
}
