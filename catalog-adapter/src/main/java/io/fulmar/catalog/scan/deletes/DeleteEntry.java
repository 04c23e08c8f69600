package io.fulmar.catalog.scan.deletes;

import io.fulmar.catalog.scan.prune.ValueSummary;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.FileFormat;

/**
 * A live entry of a delete manifest, without the statistics that nothing needs.
 *
 * @param partition of the manifest's spec
 * @param scope of equality deletes (rule R10)
 * @param equalityIds sorted; empty for positions
 * @param keys what is known of the usable key columns, in the order of {@link
 *     KeySets#usable(List)}; empty: nothing
 * @param paths what is known of the data files that a position-delete file is about
 */
public record DeleteEntry(
    FileContent content,
    String path,
    FileFormat format,
    long fileBytes,
    long recordCount,
    long dataSequenceNumber,
    long contentOffset,
    long contentBytes,
    Optional<String> referencedDataFile,
    PartitionKey partition,
    Scope scope,
    List<Integer> equalityIds,
    List<ValueSummary> keys,
    ValueSummary paths) {
  /** Where equality deletes reach. */
  public enum Scope {
    GLOBAL,
    PARTITION
  }
}
