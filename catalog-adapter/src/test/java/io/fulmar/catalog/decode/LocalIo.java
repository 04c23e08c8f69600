package io.fulmar.catalog.decode;

import java.io.File;
import org.apache.iceberg.Files;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;

/** Local files by their plain path. */
final class LocalIo implements FileIO {
  private static final long serialVersionUID = 1L;

  @Override
  public InputFile newInputFile(String path) {
    if (!new File(path).exists()) {
      throw new NotFoundException("File does not exist: %s", path);
    }
    return Files.localInput(path);
  }

  @Override
  public OutputFile newOutputFile(String path) {
    return Files.localOutput(path);
  }

  @Override
  public void deleteFile(String path) {
    throw new UnsupportedOperationException("Nothing is deleted here: " + path);
  }
}
