package io.fulmar.catalog.decode;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.io.EOFException;
import java.io.IOException;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.SeekableInputStream;

/** A file's bytes, whose reads fail with {@link StorageException} only. */
final class StoredFile {
  private final InputFile file;
  private final long length;

  private StoredFile(InputFile file, long length) {
    this.file = file;
    this.length = length;
  }

  /**
   * Finds a file.
   *
   * @throws FulmarException CORRUPT_FILE if it is empty, which ORC would take for a file without
   *     columns, or not as long as its metadata says
   */
  static StoredFile of(FileReadRequest request, FileIO io) throws StorageException {
    try {
      InputFile file = io.newInputFile(request.identity(), request.fileBytes());
      long length = file.getLength();
      if (length == 0 || (request.fileBytes() > 0 && length != request.fileBytes())) {
        throw new FulmarException(
            ErrorCode.CORRUPT_FILE,
            "The file "
                + request.identity()
                + " has "
                + length
                + " bytes where its metadata says "
                + request.fileBytes());
      }
      return new StoredFile(file, length);
    } catch (FulmarException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new StorageException(e);
    }
  }

  long length() {
    return length;
  }

  SeekableInputStream open() throws StorageException {
    try {
      return new GuardedStream(file.newStream());
    } catch (RuntimeException e) {
      throw new StorageException(e);
    }
  }

  private static final class GuardedStream extends SeekableInputStream {
    private final SeekableInputStream in;

    GuardedStream(SeekableInputStream in) {
      this.in = in;
    }

    @Override
    public long getPos() throws IOException {
      return guard(in::getPos);
    }

    @Override
    public void seek(long position) throws IOException {
      guard(
          () -> {
            in.seek(position);
            return position;
          });
    }

    @Override
    public int read() throws IOException {
      return guard(in::read);
    }

    @Override
    public int read(byte[] bytes, int offset, int count) throws IOException {
      return guard(() -> in.read(bytes, offset, count));
    }

    @Override
    public long skip(long count) throws IOException {
      return guard(() -> in.skip(count));
    }

    @Override
    public int available() throws IOException {
      return guard(in::available);
    }

    @Override
    public void close() throws IOException {
      in.close();
    }

    private static <T> T guard(Read<T> read) throws IOException {
      try {
        return read.run();
      } catch (EOFException e) {
        throw e;
      } catch (IOException | RuntimeException e) {
        throw new StorageException(e);
      }
    }
  }

  @FunctionalInterface
  private interface Read<T> {
    T run() throws IOException;
  }

  /** A failure of the store, kept apart from one of the decoder that reads from it. */
  static final class StorageException extends IOException {
    private static final long serialVersionUID = 1L;

    StorageException(Throwable cause) {
      super(cause);
    }
  }
}
