package io.fulmar.catalog.scan;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.metadata.ManifestEntries;
import io.fulmar.catalog.metadata.TableSnapshot;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.ManifestFile;

/** Refuses a snapshot in which one path is live twice (rule R06). */
final class DuplicateCheck {
  private static final List<String> PATH_ONLY = List.of("file_path");

  private final TableSnapshot table;
  private final List<ManifestFile> manifests;
  private final SeenPaths seen = new SeenPaths();

  DuplicateCheck(TableSnapshot table, List<ManifestFile> manifests) {
    this.table = table;
    this.manifests = manifests;
  }

  /**
   * @throws FulmarException INVALID_METADATA naming the file and the manifests that list it
   */
  void add(String path) {
    if (seen.add(path)) {
      return;
    }

    List<String> listing = new ArrayList<>();
    for (ManifestFile manifest : manifests) {
      collect(path, manifest, listing);
    }
    if (listing.size() > 1) {
      throw new FulmarException(
          ErrorCode.INVALID_METADATA,
          "The data file " + path + " is live more than once, in " + listing);
    }
  }

  private void collect(String path, ManifestFile manifest, List<String> listing) {
    try (ManifestEntries.Entries<DataFile> entries =
        ManifestEntries.openData(table, manifest, PATH_ONLY)) {
      while (entries.hasNext()) {
        if (entries.next().location().equals(path)) {
          listing.add(manifest.path());
        }
      }
    }
  }
}
