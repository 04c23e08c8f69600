package io.fulmar.catalog.registry;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.exceptions.RuntimeIOException;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.SeekableInputStream;

/** A local file known by its path in the metadata. */
final class LocalInputFile implements InputFile {
  private final String identity;
  private final Path path;

  LocalInputFile(String identity, Path path) {
    this.identity = identity;
    this.path = path;
  }

  @Override
  public long getLength() {
    try {
      return Files.size(path);
    } catch (NoSuchFileException e) {
      throw new NotFoundException(e, "File does not exist: %s", identity);
    } catch (IOException e) {
      throw new RuntimeIOException(e, "Failed to get the length of: %s", identity);
    }
  }

  @Override
  public SeekableInputStream newStream() {
    try {
      return new LocalInputStream(FileChannel.open(path, StandardOpenOption.READ));
    } catch (NoSuchFileException e) {
      throw new NotFoundException(e, "File does not exist: %s", identity);
    } catch (IOException e) {
      throw new RuntimeIOException(e, "Failed to open: %s", identity);
    }
  }

  @Override
  public String location() {
    return identity;
  }

  @Override
  public boolean exists() {
    return Files.exists(path);
  }

  @Override
  public String toString() {
    return identity;
  }
}
