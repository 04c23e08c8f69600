package io.fulmar.catalog.decode;

import java.io.IOException;
import java.util.List;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.iceberg.hadoop.HadoopStreams;
import org.apache.orc.EncryptionVariant;
import org.apache.orc.OrcFile;
import org.apache.orc.Reader;
import org.apache.orc.RecordReader;
import org.apache.orc.TypeDescription;
import org.apache.orc.TypeDescription.Category;
import org.apache.orc.storage.ql.exec.vector.ColumnVector;
import org.apache.orc.storage.ql.exec.vector.VectorizedRowBatch;

/**
 * The rows of an ORC file. It is read in its own types, all stripes, without predicates: positions
 * stay physical, and what a column becomes is decided here.
 */
final class OrcRows implements RowSource {
  private static final int ORC_BATCH_ROWS = 1024;

  private final Reader reader;
  private final RecordReader records;
  private final VectorizedRowBatch batch;
  private final List<OrcColumns.Child> columns;
  private final BatchBytes bytes;

  private OrcRows(
      Reader reader,
      RecordReader records,
      VectorizedRowBatch batch,
      List<OrcColumns.Child> columns,
      BatchBytes bytes) {
    this.reader = reader;
    this.records = records;
    this.batch = batch;
    this.columns = columns;
    this.bytes = bytes;
  }

  /**
   * Opens a file.
   *
   * @param root its first vectors are the request's fields
   */
  static OrcRows open(
      FileReadRequest request,
      StoredFile file,
      Configuration configuration,
      VectorSchemaRoot root,
      int batchRows)
      throws IOException {
    Reader reader = reader(file, configuration);
    try {
      TypeDescription schema = reader.getSchema();
      boolean[] include = new boolean[schema.getMaximumId() + 1];
      BatchBytes bytes = new BatchBytes();
      List<OrcColumns.Child> columns = columns(request, schema, root, bytes, include);
      requirePlain(request, reader, include);
      RecordReader records = reader.rows(reader.options().include(include));
      VectorizedRowBatch batch = schema.createRowBatch(Math.min(batchRows, ORC_BATCH_ROWS));
      return new OrcRows(reader, records, batch, columns, bytes);
    } catch (IOException | RuntimeException e) {
      reader.close();
      throw e;
    }
  }

  /** Reads dates and times as they are stored: writers of Iceberg do not set the calendar flag. */
  private static Reader reader(StoredFile file, Configuration configuration) throws IOException {
    OrcFile.ReaderOptions options =
        OrcFile.readerOptions(configuration)
            .filesystem(new OneFile(file))
            .maxLength(file.length())
            .useUTCTimestamp(true);
    Reader reader = OrcFile.createReader(OneFile.PATH, options);
    boolean proleptic = reader.writerUsedProlepticGregorian();
    if (proleptic == reader.getConvertToProlepticGregorian()) {
      return reader;
    }

    reader.close();
    return OrcFile.createReader(OneFile.PATH, options.convertToProlepticGregorian(proleptic));
  }

  private static List<OrcColumns.Child> columns(
      FileReadRequest request,
      TypeDescription schema,
      VectorSchemaRoot root,
      BatchBytes bytes,
      boolean[] include) {
    if (schema.getCategory() != Category.STRUCT) {
      throw DecodeErrors.unsupported(
          request.identity(), "its rows are no structs but " + schema.getCategory());
    }

    FieldResolver resolver =
        OrcColumns.hasIds(schema)
            ? FieldResolver.byFileIds(request)
            : FieldResolver.byNames(request);
    return new OrcColumns(resolver, bytes, include)
        .children(request.fields().columns(), schema, resolver.root(), "", root::getVector);
  }

  /** ORC gives masked values for a column that it cannot decrypt. */
  private static void requirePlain(FileReadRequest request, Reader reader, boolean[] include) {
    for (EncryptionVariant variant : reader.getEncryptionVariants()) {
      TypeDescription root = variant.getRoot();
      for (int id = root.getId(); id <= root.getMaximumId(); id++) {
        if (include[id]) {
          throw DecodeErrors.unsupported(
              request.identity(), "its column " + root.getFullFieldName() + " is encrypted");
        }
      }
    }
  }

  @Override
  public int read(int limit) throws IOException {
    bytes.reset();
    int filled = 0;
    while (filled + batch.getMaxSize() <= limit && !bytes.full() && records.nextBatch(batch)) {
      for (OrcColumns.Child child : columns) {
        copy(child, filled);
      }
      filled += batch.size;
    }
    return filled;
  }

  private void copy(OrcColumns.Child child, int filled) {
    // An absent column reads nothing, so any batch will do, even none.
    ColumnVector from = child.ordinal() < 0 ? null : batch.cols[child.ordinal()];
    for (int row = 0; row < batch.size; row++) {
      child.column().copy(from, row, filled + row);
    }
  }

  @Override
  public void close() throws IOException {
    try (reader) {
      records.close();
    }
  }

  /**
   * Lets ORC's reader open one file: ORC asks a Hadoop file system for a path, and paths of Iceberg
   * may be none of Hadoop's.
   */
  private static final class OneFile extends FilterFileSystem {
    private static final Path PATH = new Path("/file.orc");

    private final StoredFile file;

    OneFile(StoredFile file) {
      this.file = file;
    }

    @Override
    public FSDataInputStream open(Path path) throws IOException {
      return new FSDataInputStream(HadoopStreams.wrap(file.open()));
    }

    @Override
    public FSDataInputStream open(Path path, int bufferSize) throws IOException {
      return open(path);
    }
  }
}
