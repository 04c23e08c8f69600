package io.fulmar.catalog.host;

import io.fulmar.catalog.metadata.EntryRows;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.StructLike;

/** Adds up the live files of one partition. */
final class PartitionTotals {
  private static final long MICROS_PER_MILLI = 1000;

  private long records;
  private int files;
  private long bytes;
  private long positionDeletes;
  private int positionDeleteFiles;
  private long equalityDeletes;
  private int equalityDeleteFiles;
  private Optional<Snapshot> lastUpdate = Optional.empty();

  /**
   * Adds a live file.
   *
   * @param snapshot that added the file, unless it has expired
   */
  void add(EntryRows.Entry file, Optional<Snapshot> snapshot) {
    switch (file.content()) {
      case POSITION_DELETES -> {
        positionDeletes += file.recordCount();
        positionDeleteFiles++;
      }
      case EQUALITY_DELETES -> {
        equalityDeletes += file.recordCount();
        equalityDeleteFiles++;
      }
      default -> {
        records += file.recordCount();
        files++;
        bytes += file.fileBytes();
      }
    }
    snapshot.filter(this::isLater).ifPresent(later -> lastUpdate = Optional.of(later));
  }

  private boolean isLater(Snapshot snapshot) {
    return lastUpdate.map(Snapshot::timestampMillis).orElse(Long.MIN_VALUE)
        < snapshot.timestampMillis();
  }

  /** The row of {@code partitions}: what names the partition, then the totals. */
  StructLike row(List<Object> partition) {
    List<Object> values = new ArrayList<>(partition);
    values.add(records);
    values.add(files);
    values.add(bytes);
    values.add(positionDeletes);
    values.add(positionDeleteFiles);
    values.add(equalityDeletes);
    values.add(equalityDeleteFiles);
    values.add(
        lastUpdate.map(snapshot -> snapshot.timestampMillis() * MICROS_PER_MILLI).orElse(null));
    values.add(lastUpdate.map(Snapshot::snapshotId).orElse(null));
    return HostRow.of(values.toArray());
  }
}
