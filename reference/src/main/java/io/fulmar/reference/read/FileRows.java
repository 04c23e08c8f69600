package io.fulmar.reference.read;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FileErrors;
import io.fulmar.catalog.error.FulmarException;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.CloseableIterator;
import org.apache.iceberg.types.Types;

/**
 * The rows of one file in a wanted schema, in file order, so that a row's ordinal is its position.
 * The file is read in its own schema; {@link RowProjection} makes the wanted one of it.
 */
final class FileRows implements AutoCloseable {
  private final String path;
  private final CloseableIterable<Record> records;
  private final CloseableIterator<Record> iterator;
  private final RowProjection projection;

  private FileRows(String path, CloseableIterable<Record> records, RowProjection projection) {
    this.path = path;
    this.records = records;
    this.iterator = records.iterator();
    this.projection = projection;
  }

  /**
   * Opens a file.
   *
   * @throws FulmarException naming the file
   */
  static FileRows open(FileSource source, List<Types.NestedField> wanted) {
    try {
      FormatReader reader = FormatReader.of(source);
      Set<Integer> ids =
          wanted.stream().map(Types.NestedField::fieldId).collect(Collectors.toSet());
      Schema own = reader.schema();
      Schema read =
          new Schema(own.columns().stream().filter(c -> ids.contains(c.fieldId())).toList());
      RowProjection projection =
          RowProjection.of(source, reader.identified(), read.asStruct(), wanted);
      return new FileRows(source.path(), reader.read(read), projection);
    } catch (IOException | RuntimeException e) {
      throw failure(source.path(), e);
    }
  }

  boolean hasNext() {
    try {
      return iterator.hasNext();
    } catch (RuntimeException e) {
      throw failure(path, e);
    }
  }

  /** The wanted fields' values, in the forms of {@link Leaves}. */
  Object[] next() {
    try {
      return projection.row(iterator.next());
    } catch (RuntimeException e) {
      throw failure(path, e);
    }
  }

  @Override
  public void close() {
    try {
      iterator.close();
      records.close();
    } catch (IOException e) {
      throw failure(path, e);
    }
  }

  /**
   * Checks that a file that was read to its end is the one that was committed.
   *
   * @throws FulmarException CORRUPT_FILE
   */
  static void checkCount(ContentFile<?> file, long rows) {
    if (rows != file.recordCount()) {
      throw new FulmarException(
          ErrorCode.CORRUPT_FILE,
          "The file %s has %d rows where its metadata says %d"
              .formatted(file.location(), rows, file.recordCount()));
    }
  }

  static FulmarException failure(String path, Exception cause) {
    return FileErrors.of("file", path, cause, ErrorCode.CORRUPT_FILE);
  }
}
