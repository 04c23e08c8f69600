package io.fulmar.catalog.registry;

import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.PositionOutputStream;

/** A file of another store to write, known by its path in the metadata. */
record RelocatedOutputFile(String location, OutputFile bytes) implements OutputFile {
  @Override
  public PositionOutputStream create() {
    return bytes.create();
  }

  @Override
  public PositionOutputStream createOrOverwrite() {
    return bytes.createOrOverwrite();
  }

  @Override
  public InputFile toInputFile() {
    return new RelocatedInputFile(location, bytes.toInputFile());
  }
}
