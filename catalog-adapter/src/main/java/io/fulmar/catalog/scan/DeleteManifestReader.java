package io.fulmar.catalog.scan;

import io.fulmar.catalog.metadata.ManifestEntries;
import io.fulmar.catalog.metadata.SnapshotManifests;
import io.fulmar.catalog.scan.ScanOptions.Pruning;
import io.fulmar.catalog.scan.deletes.DeleteEntry;
import io.fulmar.catalog.scan.deletes.DeleteEntryReader;
import io.fulmar.catalog.scan.deletes.DeleteIndex;
import io.fulmar.catalog.scan.deletes.DeleteIndexBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.ManifestFile;

/** Reads all delete manifests of a snapshot that may matter into an index. */
final class DeleteManifestReader {
  private final ScanRequest request;
  private final ScanFilters filters;
  private final PlanCounters counters;
  private final DeleteEntryReader entries;
  private final List<String> columns;

  DeleteManifestReader(ScanRequest request, ScanFilters filters, PlanCounters counters) {
    this.request = request;
    this.filters = filters;
    this.counters = counters;
    Pruning pruning = request.options().pruning();
    this.entries = new DeleteEntryReader(request.table(), pruning, filters.statistics());
    List<String> needed = new ArrayList<>(ManifestEntries.DELETE_COLUMNS);
    if (pruning == Pruning.ENABLED) {
      needed.addAll(ManifestEntries.STATISTICS);
    }
    this.columns = List.copyOf(needed);
  }

  DeleteIndex read(SnapshotManifests manifests, Executor pool, int window) {
    List<ManifestFile> selected = select(manifests.deletes());
    DeleteIndexBuilder builder = new DeleteIndexBuilder(request.table().location(), entries);
    try (ManifestStream<DeleteEntry> stream =
        new ManifestStream<>(pool, selected, this::open, window)) {
      Optional<List<DeleteEntry>> chunk = stream.next();
      while (chunk.isPresent()) {
        chunk.get().forEach(builder::add);
        chunk = stream.next();
      }
    }
    return builder.build();
  }

  /** Global equality deletes reach every partition, so their manifests are always read. */
  private List<ManifestFile> select(List<ManifestFile> manifests) {
    return filters.select(manifests, counters.deleteManifestsSkipped);
  }

  private ManifestStream.Source<DeleteEntry> open(ManifestFile manifest) {
    counters.deleteManifests.increment();
    ScanFilters.Partitioning partitioning = filters.of(manifest);
    return new EntrySource<>(
        ManifestEntries.openDeletes(request.table(), manifest, columns),
        file -> reduce(file, partitioning));
  }

  private Optional<DeleteEntry> reduce(DeleteFile file, ScanFilters.Partitioning partitioning) {
    Optional<DeleteEntry> entry = entries.read(file, partitioning.spec(), partitioning.filter());
    (entry.isPresent() ? counters.deleteFiles : counters.deleteFilesSkipped).increment();
    return entry;
  }
}
