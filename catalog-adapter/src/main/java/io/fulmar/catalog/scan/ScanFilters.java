package io.fulmar.catalog.scan;

import io.fulmar.catalog.metadata.ManifestSpecs;
import io.fulmar.catalog.metadata.TableSnapshot;
import io.fulmar.catalog.scan.ScanOptions.Pruning;
import io.fulmar.catalog.scan.prune.PartitionFilter;
import io.fulmar.catalog.scan.prune.RowFilter;
import io.fulmar.catalog.scan.prune.StatisticsFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.PartitionSpec;

/** The filters of one scan, by partition spec. Safe for use by several threads. */
final class ScanFilters {
  private final TableSnapshot table;
  private final RowFilter rows;
  private final StatisticsFilter statistics;
  private final Map<Integer, Partitioning> partitionings = new ConcurrentHashMap<>();

  ScanFilters(ScanRequest request) {
    this.table = request.table();
    this.rows =
        request.options().pruning() == Pruning.ENABLED
            ? RowFilter.of(request.filter(), table.schema())
            : RowFilter.TRUE;
    this.statistics = new StatisticsFilter(rows, table.schema(), table.metadata());
  }

  /** A spec as manifests are read with it, and the filter on its partitions. */
  record Partitioning(PartitionSpec spec, PartitionFilter filter) {}

  RowFilter rows() {
    return rows;
  }

  StatisticsFilter statistics() {
    return statistics;
  }

  Partitioning of(ManifestFile manifest) {
    return partitionings.computeIfAbsent(
        manifest.partitionSpecId(),
        unused -> {
          PartitionSpec spec = ManifestSpecs.of(table.metadata(), manifest);
          return new Partitioning(spec, new PartitionFilter(rows, spec));
        });
  }

  /** The spec of a manifest that {@link #of} was called for. */
  PartitionSpec spec(int specId) {
    return partitionings.get(specId).spec();
  }

  /** Manifests that may hold live files of interest (rules R04, R40). */
  List<ManifestFile> select(List<ManifestFile> manifests, LongAdder skipped) {
    List<ManifestFile> selected = new ArrayList<>();
    for (ManifestFile manifest : manifests) {
      if (mayMatch(manifest)) {
        selected.add(manifest);
      } else {
        skipped.increment();
      }
    }
    return selected;
  }

  private boolean mayMatch(ManifestFile manifest) {
    if (!manifest.hasAddedFiles() && !manifest.hasExistingFiles()) {
      return false;
    }
    return manifest.partitions() == null || of(manifest).filter().mayMatch(manifest.partitions());
  }
}
