package io.fulmar.catalog.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FileErrors;
import io.fulmar.catalog.error.FulmarException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.function.Supplier;
import java.util.zip.GZIPInputStream;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.view.ViewMetadataParser;

/** Says why a metadata file of a table or view cannot be used. */
final class MetadataFiles {
  /** The newest format version that this release reads (rule R07). */
  private static final int NEWEST_FORMAT = 3;

  private static final String KIND = "table metadata file";
  private static final String VIEW_KIND = "view metadata file";

  private final Map<String, String> ioProperties;

  /**
   * @param ioProperties of the catalog's {@link MappedFileIO}
   */
  MetadataFiles(Map<String, String> ioProperties) {
    this.ioProperties = Map.copyOf(ioProperties);
  }

  /** Refuses what this release cannot read (rules R07, R87). */
  static TableMetadata supported(String table, TableMetadata metadata) {
    if (metadata.formatVersion() > NEWEST_FORMAT) {
      throw tooNew(table, metadata.formatVersion());
    }
    if (!metadata.encryptionKeys().isEmpty()) {
      throw new FulmarException(
          ErrorCode.UNSUPPORTED_TABLE, "The table " + table + " is encrypted (encryption-keys)");
    }
    return metadata;
  }

  /** Runs a load; a file that it could not read is read once more for the reason. */
  <T> T explain(Supplier<T> load) {
    try {
      return load.get();
    } catch (RuntimeException e) {
      throw MetadataReads.unreadable(e).map(path -> (RuntimeException) reason(path)).orElse(e);
    }
  }

  /**
   * Reads a metadata file that is to be registered.
   *
   * @throws FulmarException naming the file
   */
  TableMetadata read(String path) {
    try (MappedFileIO io = io()) {
      return supported(path, TableMetadataParser.read(io, path));
    } catch (FulmarException e) {
      throw e;
    } catch (RuntimeException e) {
      throw reason(path);
    }
  }

  /** As {@link #explain}, of a view. */
  <T> T explainView(Supplier<T> load) {
    try {
      return load.get();
    } catch (RuntimeException e) {
      throw MetadataReads.unreadable(e).map(path -> (RuntimeException) viewReason(path)).orElse(e);
    }
  }

  /**
   * Reads a view's metadata file that is to be registered.
   *
   * @throws FulmarException naming the file
   */
  void readView(String path) {
    try (MappedFileIO io = io()) {
      ViewMetadataParser.read(io, path);
    } catch (RuntimeException e) {
      throw FileErrors.metadata(VIEW_KIND, path, e);
    }
  }

  private FulmarException viewReason(String path) {
    try {
      readView(path);
      return new FulmarException(
          ErrorCode.STORAGE_FAILED,
          "The " + VIEW_KIND + " " + path + " could not be read at first");
    } catch (FulmarException e) {
      return e;
    }
  }

  private FulmarException reason(String path) {
    try (MappedFileIO io = io()) {
      int version = formatVersion(io, path);
      if (version > NEWEST_FORMAT) {
        return tooNew(path, version);
      }

      TableMetadataParser.read(io, path);
      return new FulmarException(
          ErrorCode.STORAGE_FAILED, "The " + KIND + " " + path + " could not be read at first");
    } catch (RuntimeException e) {
      return FileErrors.metadata(KIND, path, e);
    }
  }

  private MappedFileIO io() {
    MappedFileIO io = new MappedFileIO();
    io.initialize(ioProperties);
    return io;
  }

  private static FulmarException tooNew(String table, int version) {
    return new FulmarException(
        ErrorCode.UNSUPPORTED_TABLE,
        "Format version %d of %s is not supported; the newest is %d"
            .formatted(version, table, NEWEST_FORMAT));
  }

  private static int formatVersion(FileIO io, String path) {
    try (InputStream bytes = io.newInputFile(path).newStream();
        InputStream json = path.contains(".gz") ? new GZIPInputStream(bytes) : bytes) {
      JsonNode version = new ObjectMapper().readTree(json).path("format-version");
      return version.asInt(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
