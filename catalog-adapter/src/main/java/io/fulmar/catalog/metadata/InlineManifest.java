package io.fulmar.catalog.metadata;

import io.fulmar.catalog.error.FileErrors;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.ManifestContent;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestReader;
import org.apache.iceberg.Snapshot;

/**
 * A manifest that a v1 snapshot names itself: sequence number 0, no counts, and the spec that its
 * own header names (rules R03, R05).
 */
record InlineManifest(String path, long length, int partitionSpecId, Long snapshotId)
    implements ManifestFile {
  static List<ManifestFile> of(TableSnapshot table, Snapshot snapshot) {
    List<ManifestFile> manifests = new ArrayList<>();
    for (ManifestFile manifest : snapshot.allManifests(table.io())) {
      manifests.add(
          new InlineManifest(
              manifest.path(),
              length(table, manifest),
              specId(table, manifest),
              snapshot.snapshotId()));
    }
    return manifests;
  }

  private static long length(TableSnapshot table, ManifestFile manifest) {
    try {
      return table.io().newInputFile(manifest.path()).getLength();
    } catch (RuntimeException e) {
      throw FileErrors.metadata("manifest", manifest.path(), e);
    }
  }

  private static int specId(TableSnapshot table, ManifestFile manifest) {
    if (table.metadata().specs().size() == 1) {
      return table.metadata().defaultSpecId();
    }

    try (ManifestReader<DataFile> reader = ManifestFiles.read(manifest, table.io(), null)) {
      return reader.spec().specId();
    } catch (IOException | RuntimeException e) {
      throw FileErrors.metadata("manifest", manifest.path(), e);
    }
  }

  @Override
  public ManifestContent content() {
    return ManifestContent.DATA;
  }

  @Override
  public long sequenceNumber() {
    return 0;
  }

  @Override
  public long minSequenceNumber() {
    return 0;
  }

  @Override
  public Integer addedFilesCount() {
    return null;
  }

  @Override
  public Long addedRowsCount() {
    return null;
  }

  @Override
  public Integer existingFilesCount() {
    return null;
  }

  @Override
  public Long existingRowsCount() {
    return null;
  }

  @Override
  public Integer deletedFilesCount() {
    return null;
  }

  @Override
  public Long deletedRowsCount() {
    return null;
  }

  @Override
  public List<PartitionFieldSummary> partitions() {
    return null;
  }

  @Override
  public ManifestFile copy() {
    return this;
  }
}
