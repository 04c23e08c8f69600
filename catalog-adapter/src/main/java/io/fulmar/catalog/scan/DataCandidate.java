package io.fulmar.catalog.scan;

import io.fulmar.catalog.scan.prune.ValueSummary;
import java.util.List;
import java.util.OptionalLong;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.StructLike;

/**
 * A live data file that the filter did not skip, without the statistics that nothing needs.
 *
 * @param splitOffsets empty where the writer gave none
 * @param keys what is known of the keys of equality deletes; empty: nothing
 */
record DataCandidate(
    String path,
    FileFormat format,
    long fileBytes,
    long recordCount,
    long dataSequenceNumber,
    int specId,
    StructLike partition,
    OptionalLong firstRowId,
    List<Long> splitOffsets,
    List<ValueSummary> keys) {}
