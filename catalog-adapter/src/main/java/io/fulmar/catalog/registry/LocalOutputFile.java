package io.fulmar.catalog.registry;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.RuntimeIOException;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.PositionOutputStream;

/** A local file to write, with its folders; known by its path in the metadata. */
final class LocalOutputFile implements OutputFile {
  private final String identity;
  private final Path path;

  LocalOutputFile(String identity, Path path) {
    this.identity = identity;
    this.path = path;
  }

  @Override
  public PositionOutputStream create() {
    return open(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  @Override
  public PositionOutputStream createOrOverwrite() {
    return open(
        StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);
  }

  @Override
  public String location() {
    return identity;
  }

  @Override
  public InputFile toInputFile() {
    return new LocalInputFile(identity, path);
  }

  private PositionOutputStream open(OpenOption... options) {
    try {
      Files.createDirectories(path.getParent());
      return new Output(new BufferedOutputStream(Files.newOutputStream(path, options)));
    } catch (FileAlreadyExistsException e) {
      throw new AlreadyExistsException(e, "File already exists: %s", identity);
    } catch (IOException e) {
      throw new RuntimeIOException(e, "Failed to create: %s", identity);
    }
  }

  private static final class Output extends PositionOutputStream {
    private final OutputStream out;
    private long position;

    Output(OutputStream out) {
      this.out = out;
    }

    @Override
    public long getPos() {
      return position;
    }

    @Override
    public void write(int value) throws IOException {
      out.write(value);
      position++;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      out.write(bytes, offset, length);
      position += length;
    }

    @Override
    public void flush() throws IOException {
      out.flush();
    }

    @Override
    public void close() throws IOException {
      out.close();
    }
  }
}
