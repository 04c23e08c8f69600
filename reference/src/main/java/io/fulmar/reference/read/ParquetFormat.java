package io.fulmar.reference.read;

import java.io.IOException;
import java.util.Optional;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.parquet.GenericParquetReaders;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.mapping.NameMapping;
import org.apache.iceberg.parquet.Parquet;
import org.apache.iceberg.parquet.ParquetSchemaUtil;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.io.DelegatingSeekableInputStream;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.SeekableInputStream;
import org.apache.parquet.schema.MessageType;

/** Parquet files. Iceberg falls back to positions without ids and mapping; this does not. */
record ParquetFormat(FileSource source, Schema schema, boolean identified) implements FormatReader {
  private static final ParquetReadOptions WITHOUT_HADOOP =
      ParquetReadOptions.builder(new PlainParquetConfiguration()).build();

  static ParquetFormat open(FileSource source) throws IOException {
    MessageType type;
    try (ParquetFileReader reader =
        ParquetFileReader.open(new Adapted(source.input()), WITHOUT_HADOOP)) {
      type = reader.getFileMetaData().getSchema();
    }
    if (ParquetSchemaUtil.hasIds(type)) {
      return new ParquetFormat(source, ParquetSchemaUtil.convertAndPrune(type), true);
    }
    Optional<MessageType> mapped =
        source.mapping().map(mapping -> ParquetSchemaUtil.applyNameMapping(type, mapping));
    return mapped
        .map(named -> new ParquetFormat(source, ParquetSchemaUtil.convertAndPrune(named), true))
        .orElseGet(() -> new ParquetFormat(source, new Schema(), false));
  }

  @Override
  public CloseableIterable<Record> read(Schema columns) {
    return Parquet.read(source.input())
        .project(columns)
        .withNameMapping(source.mapping().orElseGet(NameMapping::empty))
        .createReaderFunc(
            file -> GenericParquetReaders.buildReader(columns, file, source.lineage()))
        .build();
  }

  /** Iceberg's file as Parquet's. */
  private record Adapted(org.apache.iceberg.io.InputFile file) implements InputFile {
    @Override
    public long getLength() {
      return file.getLength();
    }

    @Override
    public SeekableInputStream newStream() {
      org.apache.iceberg.io.SeekableInputStream stream = file.newStream();
      return new DelegatingSeekableInputStream(stream) {
        @Override
        public long getPos() throws IOException {
          return stream.getPos();
        }

        @Override
        public void seek(long position) throws IOException {
          stream.seek(position);
        }
      };
    }
  }
}
