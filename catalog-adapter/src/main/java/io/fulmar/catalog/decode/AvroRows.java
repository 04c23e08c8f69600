package io.fulmar.catalog.decode;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.io.DatumReader;
import org.apache.avro.io.Decoder;

/** The rows of an Avro file. */
final class AvroRows implements RowSource {
  private static final int BUFFER_BYTES = 64 * 1024;

  private final DataFileStream<Integer> stream;
  private final RowReader reader;
  private final BatchBytes bytes;

  private AvroRows(DataFileStream<Integer> stream, RowReader reader, BatchBytes bytes) {
    this.stream = stream;
    this.reader = reader;
    this.bytes = bytes;
  }

  /**
   * Opens a file.
   *
   * @param root its first vectors are the request's fields
   */
  static AvroRows open(FileReadRequest request, StoredFile file, VectorSchemaRoot root)
      throws IOException {
    BatchBytes bytes = new BatchBytes();
    RowReader reader = new RowReader();
    InputStream in = new BufferedInputStream(file.open(), BUFFER_BYTES);
    try {
      DataFileStream<Integer> stream = stream(request, in, reader);
      reader.column = column(request, stream.getSchema(), root, bytes);
      return new AvroRows(stream, reader, bytes);
    } catch (IOException | RuntimeException | LinkageError e) {
      in.close();
      throw e;
    }
  }

  private static DataFileStream<Integer> stream(
      FileReadRequest request, InputStream in, RowReader reader) throws IOException {
    try {
      return new DataFileStream<>(in, reader);
    } catch (AvroRuntimeException e) {
      if (String.valueOf(e.getMessage()).startsWith("Unrecognized codec")) {
        throw DecodeErrors.unsupported(request.identity(), e.getMessage());
      }
      throw e;
    }
  }

  private static AvroColumn column(
      FileReadRequest request, Schema schema, VectorSchemaRoot root, BatchBytes bytes) {
    if (schema.getType() != Schema.Type.RECORD) {
      throw DecodeErrors.unsupported(
          request.identity(), "its rows are no records but " + schema.getType());
    }

    FieldResolver resolver =
        AvroColumns.hasIds(schema)
            ? FieldResolver.byFileIds(request)
            : FieldResolver.byNames(request);
    return new AvroColumns(resolver, bytes)
        .record(request.fields().columns(), schema, resolver.root(), "", root::getVector);
  }

  @Override
  public int read(int limit) throws IOException {
    bytes.reset();
    reader.next = 0;
    while (reader.next < limit && !bytes.full() && stream.hasNext()) {
      stream.next(null);
    }
    return reader.next;
  }

  @Override
  public void close() throws IOException {
    stream.close();
  }

  /** Hands Avro's decoder to the columns; its datum is the row's index. */
  private static final class RowReader implements DatumReader<Integer> {
    private AvroColumn column;
    private int next;

    @Override
    public void setSchema(Schema schema) {
      // The columns are built from the stream's schema.
    }

    @Override
    public Integer read(Integer reuse, Decoder in) throws IOException {
      column.read(in, next);
      return next++;
    }
  }
}
