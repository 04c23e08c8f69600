package io.fulmar.catalog.scan;

import io.fulmar.catalog.metadata.ManifestEntries;
import io.fulmar.catalog.metadata.SnapshotManifests;
import io.fulmar.catalog.metadata.TableSnapshot;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.ManifestFile;

/**
 * What one commit changed, from the live entries of those manifests that only one of its two
 * snapshots has: entries of removed files are not needed, which some writers leave out. Paths are
 * kept as hashes.
 */
final class ManifestDifference {
  private static final List<String> PATH_ONLY = List.of("file_path");

  private final TableSnapshot before;
  private final TableSnapshot after;
  private final SnapshotManifests oldManifests;
  private final SnapshotManifests newManifests;
  private final SeenPaths oldData = new SeenPaths();
  private final SeenPaths newData = new SeenPaths();

  private ManifestDifference(
      TableSnapshot before,
      TableSnapshot after,
      SnapshotManifests oldManifests,
      SnapshotManifests newManifests) {
    this.before = before;
    this.after = after;
    this.oldManifests = oldManifests;
    this.newManifests = newManifests;
    collect(before, only(oldManifests.data(), newManifests.data()), oldData);
    collect(after, only(newManifests.data(), oldManifests.data()), newData);
  }

  static ManifestDifference of(TableSnapshot table, ChangeRange.Commit commit) {
    TableSnapshot before = table.at(commit.before());
    TableSnapshot after = table.at(Optional.of(commit.after()));
    return new ManifestDifference(
        before, after, SnapshotManifests.read(before), SnapshotManifests.read(after));
  }

  TableSnapshot before() {
    return before;
  }

  TableSnapshot after() {
    return after;
  }

  /** With the deletes of the new snapshot, and data manifests that the old one lacks. */
  SnapshotManifests addedManifests() {
    return new SnapshotManifests(
        only(newManifests.data(), oldManifests.data()), newManifests.deletes());
  }

  /** With the deletes of the old snapshot, and data manifests that the new one lacks. */
  SnapshotManifests removedManifests() {
    return new SnapshotManifests(
        only(oldManifests.data(), newManifests.data()), oldManifests.deletes());
  }

  SnapshotManifests oldManifests() {
    return oldManifests;
  }

  SnapshotManifests newManifests() {
    return newManifests;
  }

  boolean isAdded(String path) {
    return newData.contains(path) && !oldData.contains(path);
  }

  boolean isRemoved(String path) {
    return oldData.contains(path) && !newData.contains(path);
  }

  /** Whether there may be files of a kind at all. */
  boolean addsData() {
    return !newData.isEmpty();
  }

  boolean removesData() {
    return !oldData.isEmpty();
  }

  /** Delete files that only the new snapshot has, with the manifest of each. */
  void addedDeletes(Deletes action) {
    deletes(after, newManifests, before, oldManifests, action);
  }

  /** Delete files that only the old snapshot has, with the manifest of each. */
  void removedDeletes(Deletes action) {
    deletes(before, oldManifests, after, newManifests, action);
  }

  /** Takes a delete file. */
  @FunctionalInterface
  interface Deletes {
    void accept(ManifestFile manifest, DeleteFile file);
  }

  private static void deletes(
      TableSnapshot table,
      SnapshotManifests manifests,
      TableSnapshot other,
      SnapshotManifests otherManifests,
      Deletes action) {
    List<ManifestFile> candidates = only(manifests.deletes(), otherManifests.deletes());
    if (candidates.isEmpty()) {
      return;
    }
    SeenPaths known = new SeenPaths();
    for (ManifestFile manifest : only(otherManifests.deletes(), manifests.deletes())) {
      read(other, manifest, file -> known.add(key(file)));
    }
    for (ManifestFile manifest : candidates) {
      read(
          table,
          manifest,
          file -> {
            if (!known.contains(key(file))) {
              action.accept(manifest, file);
            }
          });
    }
  }

  private static void read(
      TableSnapshot table, ManifestFile manifest, Consumer<DeleteFile> action) {
    List<String> columns = new ArrayList<>(ManifestEntries.DELETE_COLUMNS);
    columns.addAll(ManifestEntries.STATISTICS);
    ManifestEntries.deletes(table, manifest, columns, action);
  }

  /** Several vectors share a file (rule R26). */
  private static String key(DeleteFile file) {
    return file.contentOffset() == null
        ? file.location()
        : file.location() + "#" + file.contentOffset();
  }

  private static List<ManifestFile> only(List<ManifestFile> manifests, List<ManifestFile> others) {
    Set<String> known =
        others.stream().map(ManifestFile::path).collect(Collectors.toCollection(HashSet::new));
    return manifests.stream().filter(manifest -> !known.contains(manifest.path())).toList();
  }

  private static void collect(TableSnapshot table, List<ManifestFile> manifests, SeenPaths paths) {
    for (ManifestFile manifest : manifests) {
      try (ManifestEntries.Entries<DataFile> entries =
          ManifestEntries.openData(table, manifest, PATH_ONLY)) {
        while (entries.hasNext()) {
          paths.add(entries.next().location());
        }
      }
    }
  }
}
