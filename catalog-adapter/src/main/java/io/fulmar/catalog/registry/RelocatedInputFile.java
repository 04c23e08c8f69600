package io.fulmar.catalog.registry;

import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.SeekableInputStream;

/** A file of another store, known by its path in the metadata. */
record RelocatedInputFile(String location, InputFile bytes) implements InputFile {
  @Override
  public long getLength() {
    return bytes.getLength();
  }

  @Override
  public SeekableInputStream newStream() {
    return bytes.newStream();
  }

  @Override
  public boolean exists() {
    return bytes.exists();
  }
}
