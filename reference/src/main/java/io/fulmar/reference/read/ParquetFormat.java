package io.fulmar.reference.read;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.parquet.GenericParquetReaders;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.mapping.NameMapping;
import org.apache.iceberg.parquet.Parquet;
import org.apache.iceberg.parquet.ParquetSchemaUtil;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.io.DelegatingSeekableInputStream;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.SeekableInputStream;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;

/**
 * Parquet files. Iceberg falls back to positions without ids and mapping, and leaves the CRCs of
 * pages unread; this does neither.
 *
 * @param type the file's own, with the ids of {@code schema}
 */
record ParquetFormat(FileSource source, MessageType type, Schema schema, boolean identified)
    implements FormatReader {
  private static final ParquetReadOptions OPTIONS =
      ParquetReadOptions.builder(new PlainParquetConfiguration())
          .usePageChecksumVerification()
          .build();

  static ParquetFormat open(FileSource source) throws IOException {
    MessageType type;
    try (ParquetFileReader reader = ParquetFileReader.open(new Adapted(source.input()), OPTIONS)) {
      type = reader.getFileMetaData().getSchema();
    }
    if (ParquetSchemaUtil.hasIds(type)) {
      return new ParquetFormat(source, type, ParquetSchemaUtil.convertAndPrune(type), true);
    }
    Optional<MessageType> mapped =
        source.mapping().map(mapping -> ParquetSchemaUtil.applyNameMapping(type, mapping));
    return mapped
        .map(
            named ->
                new ParquetFormat(source, named, ParquetSchemaUtil.convertAndPrune(named), true))
        .orElseGet(() -> new ParquetFormat(source, type, new Schema(), false));
  }

  @Override
  public CloseableIterable<Record> read(Schema columns) throws IOException {
    verifyPages(columns);
    return Parquet.read(source.input())
        .project(columns)
        .withNameMapping(source.mapping().orElseGet(NameMapping::empty))
        .createReaderFunc(
            file -> GenericParquetReaders.buildReader(columns, file, source.lineage()))
        .build();
  }

  /** Reads the pages of the wanted columns once for their CRCs. */
  private void verifyPages(Schema columns) throws IOException {
    List<Type> wanted =
        type.getFields().stream()
            .filter(field -> field.getId() != null)
            .filter(field -> columns.findField(field.getId().intValue()) != null)
            .toList();
    try (ParquetFileReader reader = ParquetFileReader.open(new Adapted(source.input()), OPTIONS)) {
      reader.setRequestedSchema(new MessageType(type.getName(), wanted));
      boolean more = !wanted.isEmpty();
      while (more) {
        try (PageReadStore pages = reader.readNextRowGroup()) {
          more = pages != null;
        }
      }
    }
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
