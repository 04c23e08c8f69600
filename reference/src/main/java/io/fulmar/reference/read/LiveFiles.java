package io.fulmar.reference.read;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.metadata.ManifestEntries;
import io.fulmar.catalog.metadata.SnapshotManifests;
import io.fulmar.catalog.metadata.TableSnapshot;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.ManifestFile;

/** All live files of a snapshot, without any pruning. */
record LiveFiles(List<DataFile> data, List<DeleteFile> deletes) {
  LiveFiles {
    data = List.copyOf(data);
    deletes = List.copyOf(deletes);
  }

  /**
   * Reads every manifest.
   *
   * @throws FulmarException naming the manifest; INVALID_METADATA for a data file that is live
   *     twice (rule R06)
   */
  static LiveFiles of(TableSnapshot table) {
    SnapshotManifests manifests = SnapshotManifests.read(table);
    List<DataFile> data = new ArrayList<>();
    Set<String> paths = new HashSet<>();
    for (ManifestFile manifest : manifests.data()) {
      try (ManifestEntries.Entries<DataFile> entries =
          ManifestEntries.openData(table, manifest, ManifestEntries.DATA_COLUMNS)) {
        while (entries.hasNext()) {
          DataFile file = entries.next();
          if (!paths.add(file.location())) {
            throw new FulmarException(
                ErrorCode.INVALID_METADATA,
                "The data file %s is live twice in %s"
                    .formatted(file.location(), table.displayName()));
          }
          data.add(file);
        }
      }
    }
    List<DeleteFile> deletes = new ArrayList<>();
    for (ManifestFile manifest : manifests.deletes()) {
      ManifestEntries.deletes(table, manifest, ManifestEntries.DELETE_COLUMNS, deletes::add);
    }
    return new LiveFiles(data, deletes);
  }
}
