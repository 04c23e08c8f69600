package io.fulmar.catalog.metadata;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.ManifestFile;

/**
 * Counts the deletes of snapshots. What a delete manifest holds is kept by catalog and path, since
 * manifests never change; bounded. Safe for use by several threads.
 */
public final class DeleteInventoryLoader {
  private static final int CACHED_MANIFESTS = 20_000;

  private final Cache<ManifestKey, DeleteInventory> cache =
      Caffeine.newBuilder().maximumSize(CACHED_MANIFESTS).build();

  /**
   * Reads the manifest list and those delete manifests that are not known yet.
   *
   * @throws FulmarException naming the file; INVALID_METADATA for an equality-delete file without
   *     ids (rule R17)
   */
  public DeleteInventory load(TableSnapshot table) {
    return load(table, SnapshotManifests.read(table));
  }

  /** As {@link #load(TableSnapshot)}, with the manifest list already read. */
  public DeleteInventory load(TableSnapshot table, SnapshotManifests manifests) {
    return manifests.deletes().parallelStream()
        .map(manifest -> inventory(table, manifest))
        .reduce(DeleteInventory.NONE, DeleteInventory::plus);
  }

  private DeleteInventory inventory(TableSnapshot table, ManifestFile manifest) {
    ManifestKey key = new ManifestKey(table.catalog(), manifest.path());
    return cache.get(key, unused -> count(table, manifest));
  }

  private record ManifestKey(String catalog, String path) {}

  private static DeleteInventory count(TableSnapshot table, ManifestFile manifest) {
    Counter counter = new Counter();
    ManifestEntries.deletes(table, manifest, ManifestEntries.DELETE_COLUMNS, counter::add);
    return counter.inventory();
  }

  private static final class Counter {
    private final Map<List<Integer>, DeleteInventory.EqualityCount> equality = new HashMap<>();
    private long positionDeleteFiles;
    private long deletionVectors;

    void add(DeleteFile file) {
      if (file.content() == FileContent.EQUALITY_DELETES) {
        equality.merge(
            equalityIds(file),
            new DeleteInventory.EqualityCount(1, file.recordCount()),
            DeleteInventory.EqualityCount::plus);
      } else if (file.format() == FileFormat.PUFFIN) {
        deletionVectors++;
      } else {
        positionDeleteFiles++;
      }
    }

    DeleteInventory inventory() {
      return new DeleteInventory(positionDeleteFiles, deletionVectors, equality);
    }
  }

  /**
   * The equality ids of a delete file, sorted (rules R15, R17).
   *
   * @throws FulmarException INVALID_METADATA naming the file that has none
   */
  public static List<Integer> equalityIds(DeleteFile file) {
    List<Integer> ids = file.equalityFieldIds();
    if (ids == null || ids.isEmpty()) {
      throw new FulmarException(
          ErrorCode.INVALID_METADATA,
          "The equality-delete file " + file.location() + " has no equality ids");
    }

    List<Integer> sorted = new ArrayList<>(ids);
    sorted.sort(Integer::compare);
    return List.copyOf(sorted);
  }
}
