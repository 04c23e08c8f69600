package io.fulmar.catalog.metadata;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FileErrors;
import io.fulmar.catalog.error.FulmarException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.GenericManifestFile;
import org.apache.iceberg.GenericPartitionFieldSummary;
import org.apache.iceberg.InternalData;
import org.apache.iceberg.ManifestContent;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.InputFile;

/**
 * The manifests of one snapshot, in the order of its manifest list.
 *
 * @param data manifests of data files
 * @param deletes manifests of delete files
 */
public record SnapshotManifests(List<ManifestFile> data, List<ManifestFile> deletes) {
  public SnapshotManifests {
    data = List.copyOf(data);
    deletes = List.copyOf(deletes);
  }

  /**
   * Reads the manifest list, or the list inside a v1 snapshot (rule R03). A table without a
   * snapshot has none.
   *
   * @throws FulmarException naming the manifest list
   */
  public static SnapshotManifests read(TableSnapshot table) {
    if (table.snapshot().isEmpty()) {
      return new SnapshotManifests(List.of(), List.of());
    }

    Snapshot snapshot = table.snapshot().get();
    List<ManifestFile> all =
        snapshot.manifestListLocation() == null
            ? InlineManifest.of(table, snapshot)
            : listed(table, snapshot.manifestListLocation());
    return split(all);
  }

  /** Manifests of both kinds. */
  public List<ManifestFile> all() {
    List<ManifestFile> all = new ArrayList<>(data);
    all.addAll(deletes);
    return all;
  }

  /**
   * An upper bound of the rows, before deletes, from counts of the manifest list; empty where a
   * writer left counts out (rule R04).
   */
  public OptionalLong rowsUpperBound() {
    long rows = 0;
    for (ManifestFile manifest : data) {
      if (manifest.addedRowsCount() == null || manifest.existingRowsCount() == null) {
        return OptionalLong.empty();
      }
      rows += manifest.addedRowsCount() + manifest.existingRowsCount();
    }
    return OptionalLong.of(rows);
  }

  private static SnapshotManifests split(List<ManifestFile> all) {
    List<ManifestFile> data = new ArrayList<>();
    List<ManifestFile> deletes = new ArrayList<>();
    for (ManifestFile manifest : all) {
      refuseEncrypted(manifest);
      (manifest.content() == ManifestContent.DATA ? data : deletes).add(manifest);
    }
    return new SnapshotManifests(data, deletes);
  }

  private static List<ManifestFile> listed(TableSnapshot table, String path) {
    try {
      InputFile file = table.io().newInputFile(path);
      try (CloseableIterable<ManifestFile> rows =
          InternalData.read(FileFormat.AVRO, file)
              .setRootType(GenericManifestFile.class)
              .setCustomType(
                  ManifestFile.PARTITION_SUMMARIES_ELEMENT_ID, GenericPartitionFieldSummary.class)
              .project(ManifestFile.schema())
              .build()) {
        List<ManifestFile> manifests = new ArrayList<>();
        rows.forEach(manifests::add);
        return manifests;
      }
    } catch (IOException | RuntimeException e) {
      throw FileErrors.metadata("manifest list", path, e);
    }
  }

  private static void refuseEncrypted(ManifestFile manifest) {
    if (manifest.keyMetadata() != null) {
      throw new FulmarException(
          ErrorCode.UNSUPPORTED_TABLE, "The manifest " + manifest.path() + " is encrypted");
    }
  }
}
