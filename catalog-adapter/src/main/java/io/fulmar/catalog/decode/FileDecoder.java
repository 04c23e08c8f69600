package io.fulmar.catalog.decode;

import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.host.BatchReader;
import java.io.IOException;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.io.FileIO;

/**
 * Opens ORC and Avro files as Arrow batches, columns by field id (rules R30 to R34), every row of
 * the file in its physical order. Iceberg's own readers make an object of each value, let a
 * partition constant win over the file's column and know no defaults in ORC, so the formats'
 * libraries are read directly. Safe for use by several threads; a reader is not.
 */
public final class FileDecoder {
  private final Configuration configuration = new Configuration(false);

  /**
   * Opens a file. Column types are those of {@code FileRead} in the plan language: SQL's form of
   * each Iceberg type, but uuid is FixedSizeBinary(16), fixed is FixedSizeBinary(n) and variant is
   * Struct(metadata: Binary, value: Binary).
   *
   * @param io the table's, mapped: opens {@link FileReadRequest#identity()}
   * @param allocator gives all vectors' memory; the reader returns it when closed
   * @param batchRows the most rows of one batch
   * @throws FulmarException FILE_NOT_FOUND, CORRUPT_FILE, UNSUPPORTED_FILE, SCHEMA_MISMATCH or
   *     STORAGE_FAILED, naming the identity; {@link BatchReader#next()} throws the same
   */
  public BatchReader open(
      FileReadRequest request, FileIO io, BufferAllocator allocator, int batchRows) {
    if (batchRows <= 0) {
      throw new IllegalArgumentException("Rows of a batch must be positive: " + batchRows);
    }

    requireKnown(request);
    VectorSchemaRoot root = FileBatches.emptyRoot(request, allocator);
    try {
      StoredFile file = StoredFile.of(request, io);
      RowSource rows =
          request.format() == FileFormat.ORC
              ? OrcRows.open(request, file, configuration, root, batchRows)
              : AvroRows.open(request, file, root);
      return new FileBatches(request, root, rows, batchRows);
    } catch (IOException | RuntimeException | LinkageError e) {
      root.close();
      throw DecodeErrors.of(request.identity(), e);
    }
  }

  private static void requireKnown(FileReadRequest request) {
    if (request.format() != FileFormat.ORC && request.format() != FileFormat.AVRO) {
      throw DecodeErrors.unsupported(
          request.identity(), "its format is " + request.format() + ", not ORC or Avro");
    }
  }
}
