package io.fulmar.catalog.registry;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.io.IOException;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.SeekableInputStream;

/**
 * A file whose length metadata states. A store that knows the file's own length is asked; of
 * others, which take the stated one for true, the bytes that are read must go exactly so far.
 */
final class StatedInputFile implements InputFile {
  private final InputFile file;
  private final long stated;

  StatedInputFile(InputFile file, long stated) {
    this.file = file;
    this.stated = stated;
  }

  @Override
  public long getLength() {
    long length = file.getLength();
    if (length != stated) {
      throw other(length);
    }
    return length;
  }

  @Override
  public SeekableInputStream newStream() {
    getLength();
    return new StatedStream(file.newStream());
  }

  @Override
  public String location() {
    return file.location();
  }

  @Override
  public boolean exists() {
    return file.exists();
  }

  @Override
  public String toString() {
    return file.toString();
  }

  private FulmarException other(long length) {
    return new FulmarException(
        ErrorCode.CORRUPT_FILE,
        "The file %s has %d bytes where its metadata says %d"
            .formatted(location(), length, stated));
  }

  /** Ends at the stated length, and fails where the bytes end before it. */
  private final class StatedStream extends SeekableInputStream {
    private final SeekableInputStream in;

    StatedStream(SeekableInputStream in) {
      this.in = in;
    }

    @Override
    public long getPos() throws IOException {
      return in.getPos();
    }

    @Override
    public void seek(long position) throws IOException {
      in.seek(position);
    }

    @Override
    public int read() throws IOException {
      long position = getPos();
      if (position >= stated) {
        return -1;
      }
      int read = in.read();
      if (read < 0) {
        throw other(position);
      }
      return read;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      long position = getPos();
      if (length == 0) {
        return 0;
      }
      if (position >= stated) {
        return -1;
      }
      int read = in.read(bytes, offset, (int) Math.min(length, stated - position));
      if (read < 0) {
        throw other(position);
      }
      return read;
    }

    @Override
    public long skip(long count) throws IOException {
      return in.skip(Math.min(count, Math.max(0, stated - getPos())));
    }

    @Override
    public int available() throws IOException {
      return (int) Math.min(in.available(), Math.max(0, stated - getPos()));
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
