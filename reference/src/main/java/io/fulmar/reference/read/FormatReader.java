package io.fulmar.reference.read;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.io.IOException;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;

/** One file format. */
interface FormatReader {
  /** The file's own columns that have field ids, of its own or by name mapping. */
  Schema schema();

  /** Whether the file has ids, or the table a name mapping for it (rule R32). */
  boolean identified();

  /** All rows in file order. */
  CloseableIterable<Record> read(Schema columns) throws IOException;

  /**
   * @throws FulmarException UNSUPPORTED_FILE
   */
  static FormatReader of(FileSource source) throws IOException {
    return switch (source.format()) {
      case PARQUET -> ParquetFormat.open(source);
      case ORC -> OrcFormat.open(source);
      case AVRO -> AvroFormat.open(source);
      default ->
          throw new FulmarException(
              ErrorCode.UNSUPPORTED_FILE,
              "The file " + source.path() + " has the format " + source.format());
    };
  }
}
