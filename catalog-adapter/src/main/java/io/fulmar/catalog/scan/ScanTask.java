package io.fulmar.catalog.scan;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.StructLike;

/**
 * A data file or a split of one, with the deletes that apply.
 *
 * @param identity the path string of the metadata
 * @param location the address of the bytes
 * @param start of the split: it reads the row groups whose first byte lies in [start, start +
 *     length)
 * @param constants field id → identity partition value in Iceberg's internal Java form, absent
 *     where NULL is wanted: see {@code nullConstants}
 * @param nullConstants field ids whose identity partition value is NULL
 * @param firstRowId for row lineage (rule R36)
 * @param deletionVector id of a {@link DeleteFileRef}
 * @param positionDeletes ids of {@link DeleteFileRef}; empty where a deletion vector applies (rule
 *     R12)
 * @param deleteGroups ids of the {@link DeleteGroup}s that hold a delete of a higher sequence
 *     number in whose scope the file is
 * @param partition the tuple under {@code specId}
 */
public record ScanTask(
    String identity,
    String location,
    FileFormat format,
    long fileBytes,
    long recordCount,
    long start,
    long length,
    long dataSequenceNumber,
    int specId,
    Map<Integer, Object> constants,
    List<Integer> nullConstants,
    OptionalLong firstRowId,
    OptionalInt deletionVector,
    List<Integer> positionDeletes,
    List<Integer> deleteGroups,
    Optional<StructLike> partition) {
  public ScanTask {
    requireNonNull(identity, "identity is null");
    requireNonNull(location, "location is null");
    requireNonNull(format, "format is null");
    constants = Map.copyOf(constants);
    nullConstants = List.copyOf(nullConstants);
    positionDeletes = List.copyOf(positionDeletes);
    deleteGroups = List.copyOf(deleteGroups);
    requireNonNull(partition, "partition is null");
  }
}
