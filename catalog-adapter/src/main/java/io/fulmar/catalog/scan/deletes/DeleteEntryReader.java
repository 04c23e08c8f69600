package io.fulmar.catalog.scan.deletes;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.metadata.DeleteInventoryLoader;
import io.fulmar.catalog.metadata.TableSnapshot;
import io.fulmar.catalog.scan.ScanOptions.Pruning;
import io.fulmar.catalog.scan.prune.ColumnStatistics;
import io.fulmar.catalog.scan.prune.PartitionFilter;
import io.fulmar.catalog.scan.prune.StatisticsFilter;
import io.fulmar.catalog.scan.prune.ValueSummary;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.PartitionSpec;

/**
 * Turns live delete files into entries, and leaves out those that cannot concern the scan (rule
 * R25). Safe for use by several threads.
 */
public final class DeleteEntryReader {
  private final Pruning pruning;
  private final StatisticsFilter statistics;
  private final KeySets keySets;
  private final ColumnStatistics paths;
  private final Map<List<Integer>, Optional<Integer>> unknownIds = new ConcurrentHashMap<>();

  /**
   * @param statistics the scan's filter
   */
  public DeleteEntryReader(TableSnapshot table, Pruning pruning, StatisticsFilter statistics) {
    this.pruning = pruning;
    this.statistics = statistics;
    this.keySets = new KeySets(table.metadata());
    this.paths =
        new ColumnStatistics(
            MetadataColumns.DELETE_FILE_PATH.fieldId(),
            MetadataColumns.DELETE_FILE_PATH.type(),
            ColumnStatistics.Placement.TOP,
            ColumnStatistics.Imports.NONE);
  }

  /**
   * The entry of a file, or empty if it cannot concern the scan.
   *
   * @param spec the manifest's
   * @param partitions the scan's filter on that spec
   * @throws FulmarException INVALID_METADATA naming a file that breaks the format
   */
  public Optional<DeleteEntry> read(
      DeleteFile file, PartitionSpec spec, PartitionFilter partitions) {
    check(file);
    boolean global = file.content() == FileContent.EQUALITY_DELETES && spec.isUnpartitioned();
    List<Integer> ids = equalityIds(file);
    if (pruning == Pruning.ENABLED && !mayConcern(file, ids, global, partitions)) {
      return Optional.empty();
    }

    return Optional.of(
        new DeleteEntry(
            file.content(),
            file.location(),
            file.format(),
            file.fileSizeInBytes(),
            file.recordCount(),
            file.dataSequenceNumber(),
            Objects.requireNonNullElse(file.contentOffset(), 0L),
            Objects.requireNonNullElse(file.contentSizeInBytes(), 0L),
            Optional.ofNullable(file.referencedDataFile()),
            PartitionKey.of(spec.specId(), file.partition()),
            global ? DeleteEntry.Scope.GLOBAL : DeleteEntry.Scope.PARTITION,
            ids,
            keys(file, ids),
            paths(file)));
  }

  private boolean mayConcern(
      DeleteFile file, List<Integer> ids, boolean global, PartitionFilter partitions) {
    boolean reached = global || partitions.mayMatch(file.partition());
    return reached && (ids.isEmpty() || statistics.mayDelete(file, new HashSet<>(ids)));
  }

  private List<Integer> equalityIds(DeleteFile file) {
    if (file.content() != FileContent.EQUALITY_DELETES) {
      return List.of();
    }

    List<Integer> ids = DeleteInventoryLoader.equalityIds(file);
    unknownIds
        .computeIfAbsent(ids, keySets::unknown)
        .ifPresent(
            id -> {
              throw invalid(file, "has the equality id " + id + ", which no schema knows");
            });
    return ids;
  }

  private List<ValueSummary> keys(DeleteFile file, List<Integer> ids) {
    return pruning == Pruning.DISABLED || ids.isEmpty()
        ? List.of()
        : keySets.usable(ids).stream().map(column -> column.of(file)).toList();
  }

  private ValueSummary paths(DeleteFile file) {
    return pruning == Pruning.DISABLED || file.content() != FileContent.POSITION_DELETES
        ? ValueSummary.UNKNOWN
        : paths.of(file);
  }

  /** The columns of {@link DeleteEntry#keys()}. */
  List<ColumnStatistics> usable(List<Integer> ids) {
    return keySets.usable(ids);
  }

  private static void check(DeleteFile file) {
    if (file.content() == FileContent.DATA) {
      throw invalid(file, "is listed as a delete file and says that it holds data");
    }
    if (file.content() != FileContent.POSITION_DELETES || file.format() != FileFormat.PUFFIN) {
      return;
    }
    if (file.referencedDataFile() == null) {
      throw invalid(file, "holds a deletion vector that names no data file");
    }
    if (file.contentOffset() == null || file.contentSizeInBytes() == null) {
      throw invalid(file, "holds a deletion vector without offset or size");
    }
  }

  private static FulmarException invalid(DeleteFile file, String why) {
    return new FulmarException(
        ErrorCode.INVALID_METADATA, "The delete file " + file.location() + " " + why);
  }
}
