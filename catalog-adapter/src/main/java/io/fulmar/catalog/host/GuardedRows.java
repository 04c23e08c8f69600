package io.fulmar.catalog.host;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FileErrors;
import io.fulmar.catalog.error.FulmarException;
import java.io.IOException;
import java.util.function.Supplier;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.CloseableIterator;

/** Rows read from metadata files, whose failures become typed errors that name the table. */
final class GuardedRows implements CloseableIterable<StructLike> {
  private final String name;
  private final CloseableIterable<? extends StructLike> rows;

  private GuardedRows(String name, CloseableIterable<? extends StructLike> rows) {
    this.name = name;
    this.rows = rows;
  }

  /** Asks for the rows and guards them and the asking. */
  static CloseableIterable<StructLike> of(
      String name, Supplier<CloseableIterable<? extends StructLike>> rows) {
    return new GuardedRows(name, guard(name, rows));
  }

  @Override
  public CloseableIterator<StructLike> iterator() {
    CloseableIterator<? extends StructLike> iterator = guard(name, rows::iterator);
    return new CloseableIterator<>() {
      @Override
      public boolean hasNext() {
        return guard(name, iterator::hasNext);
      }

      @Override
      public StructLike next() {
        return guard(name, iterator::next);
      }

      @Override
      public void close() throws IOException {
        iterator.close();
      }
    };
  }

  @Override
  public void close() throws IOException {
    rows.close();
  }

  private static <T> T guard(String name, Supplier<T> step) {
    try {
      return step.get();
    } catch (FulmarException e) {
      throw new FulmarException(e.code(), "Cannot read " + name + ": " + e.getMessage(), e);
    } catch (RuntimeException e) {
      ErrorCode code = FileErrors.metadata("metadata of", name, e).code();
      throw new FulmarException(code, "Cannot read " + name + ": " + e.getMessage(), e);
    } catch (LinkageError e) {
      throw new FulmarException(
          ErrorCode.UNSUPPORTED_FILE, "Cannot read " + name + ": no codec for it: " + e, e);
    }
  }
}
