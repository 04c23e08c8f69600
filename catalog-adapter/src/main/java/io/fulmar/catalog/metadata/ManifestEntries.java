package io.fulmar.catalog.metadata;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FileErrors;
import io.fulmar.catalog.error.FulmarException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestReader;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.io.CloseableIterator;

/**
 * Live entries of manifests, with inherited sequence numbers and row ids (rules R01, R02, R36).
 * Every failure names the manifest.
 */
public final class ManifestEntries {
  /** What planning needs of a data file besides statistics. */
  public static final List<String> DATA_COLUMNS =
      List.of(
          "content",
          "file_path",
          "file_format",
          "partition",
          "record_count",
          "file_size_in_bytes",
          "key_metadata",
          "split_offsets",
          "first_row_id");

  /** What planning needs of a delete file besides statistics. */
  public static final List<String> DELETE_COLUMNS =
      List.of(
          "content",
          "file_path",
          "file_format",
          "partition",
          "record_count",
          "file_size_in_bytes",
          "key_metadata",
          "equality_ids",
          "referenced_data_file",
          "content_offset",
          "content_size_in_bytes");

  /** Statistics of columns. */
  public static final List<String> STATISTICS =
      List.of(
          "value_counts", "null_value_counts", "nan_value_counts", "lower_bounds", "upper_bounds");

  private ManifestEntries() {}

  /** A stream of live entries. Closed by whoever opened it. */
  public interface Entries<F extends ContentFile<F>> extends AutoCloseable {
    /** Whether an entry follows. */
    boolean hasNext();

    /** The next entry, a copy of its own. */
    F next();

    @Override
    void close();
  }

  /** Opens a data manifest. */
  public static Entries<DataFile> openData(
      TableSnapshot table, ManifestFile manifest, List<String> columns) {
    return new Reading<>(
        manifest,
        () -> ManifestFiles.read(manifest, table.io(), specs(table, manifest)).select(columns));
  }

  /** Opens a delete manifest. */
  public static Entries<DeleteFile> openDeletes(
      TableSnapshot table, ManifestFile manifest, List<String> columns) {
    return new Reading<>(
        manifest,
        () ->
            ManifestFiles.readDeleteManifest(manifest, table.io(), specs(table, manifest))
                .select(columns));
  }

  /** Hands every live entry of a delete manifest to an action. */
  public static void deletes(
      TableSnapshot table,
      ManifestFile manifest,
      List<String> columns,
      Consumer<DeleteFile> action) {
    try (Entries<DeleteFile> entries = openDeletes(table, manifest, columns)) {
      while (entries.hasNext()) {
        action.accept(entries.next());
      }
    }
  }

  private static Map<Integer, PartitionSpec> specs(TableSnapshot table, ManifestFile manifest) {
    return Map.of(manifest.partitionSpecId(), ManifestSpecs.of(table.metadata(), manifest));
  }

  private interface Opener<F extends ContentFile<F>> {
    ManifestReader<F> open();
  }

  private static final class Reading<F extends ContentFile<F>> implements Entries<F> {
    private final String path;
    private final ManifestReader<F> reader;
    private final CloseableIterator<F> files;

    Reading(ManifestFile manifest, Opener<F> opener) {
      this.path = manifest.path();
      try {
        this.reader = opener.open();
        this.files = reader.iterator();
      } catch (RuntimeException e) {
        throw failure(e);
      }
    }

    @Override
    public boolean hasNext() {
      try {
        return files.hasNext();
      } catch (RuntimeException e) {
        throw failure(e);
      }
    }

    @Override
    public F next() {
      F file;
      try {
        file = files.next();
      } catch (RuntimeException e) {
        throw failure(e);
      }

      checkSupported(file);
      return file;
    }

    @Override
    public void close() {
      try {
        files.close();
        reader.close();
      } catch (IOException | RuntimeException e) {
        throw failure(e);
      }
    }

    private void checkSupported(F file) {
      if (file.dataSequenceNumber() == null) {
        throw new FulmarException(
            ErrorCode.INVALID_METADATA,
            "The manifest " + path + " gives " + file.location() + " no sequence number");
      }
      if (file.keyMetadata() != null) {
        throw new FulmarException(
            ErrorCode.UNSUPPORTED_FILE, "The file " + file.location() + " is encrypted");
      }
    }

    private FulmarException failure(Exception cause) {
      return FileErrors.metadata("manifest", path, cause);
    }
  }
}
