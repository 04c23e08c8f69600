package io.fulmar.catalog.scan;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.metadata.ManifestEntries;
import io.fulmar.catalog.metadata.TableSnapshot;
import io.fulmar.catalog.scan.prune.ColumnStatistics;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.ManifestFile;

/** Reads data manifests: live files that the filter does not skip. */
final class DataManifestReader {
  private final TableSnapshot table;
  private final ScanFilters filters;
  private final List<ColumnStatistics> keyColumns;
  private final FileSelection selection;
  private final PlanCounters counters;
  private final List<String> columns;

  /**
   * @param keyColumns whose statistics decide which equality deletes apply
   */
  DataManifestReader(
      TableSnapshot table,
      ScanFilters filters,
      List<ColumnStatistics> keyColumns,
      FileSelection selection,
      PlanCounters counters) {
    this.table = table;
    this.filters = filters;
    this.keyColumns = keyColumns;
    this.selection = selection;
    this.counters = counters;
    List<String> needed = new ArrayList<>(ManifestEntries.DATA_COLUMNS);
    if (!filters.rows().acceptsAll()
        || !keyColumns.isEmpty()
        || !selection.statistics().isEmpty()) {
      needed.addAll(ManifestEntries.STATISTICS);
    }
    this.columns = List.copyOf(needed);
  }

  ManifestStream.Source<DataCandidate> open(ManifestFile manifest) {
    counters.dataManifests.increment();
    ScanFilters.Partitioning partitioning = filters.of(manifest);
    return new EntrySource<>(
        ManifestEntries.openData(table, manifest, columns), file -> reduce(file, partitioning));
  }

  private Optional<DataCandidate> reduce(DataFile file, ScanFilters.Partitioning partitioning) {
    if (file.content() != FileContent.DATA) {
      throw new FulmarException(
          ErrorCode.INVALID_METADATA,
          "The file " + file.location() + " is listed as data and says that it holds deletes");
    }

    if (!selection.selects(file, partitioning.spec())) {
      return Optional.empty();
    }
    if (!partitioning.filter().mayMatch(file.partition()) || !filters.statistics().mayMatch(file)) {
      counters.dataFilesSkipped.increment();
      return Optional.empty();
    }

    counters.dataFiles.increment();
    return Optional.of(
        new DataCandidate(
            file.location(),
            file.format(),
            file.fileSizeInBytes(),
            file.recordCount(),
            file.dataSequenceNumber(),
            partitioning.spec().specId(),
            file.partition(),
            file.firstRowId() == null ? OptionalLong.empty() : OptionalLong.of(file.firstRowId()),
            file.splitOffsets() == null ? List.of() : List.copyOf(file.splitOffsets()),
            keyColumns.stream().map(column -> column.of(file)).toList()));
  }
}
