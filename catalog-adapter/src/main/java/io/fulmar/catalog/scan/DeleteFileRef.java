package io.fulmar.catalog.scan;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import org.apache.iceberg.FileFormat;

/**
 * A delete file or a deletion vector.
 *
 * @param id its index in {@link ScanPlan#deleteFiles()}
 * @param identity the path string of the metadata
 * @param location the address of the bytes
 * @param contentOffset of a deletion vector in its Puffin file, else 0
 * @param contentBytes of a deletion vector, else 0
 * @param referencedDataFile the one data file it is about, if it says so
 */
public record DeleteFileRef(
    int id,
    String identity,
    String location,
    FileFormat format,
    long fileBytes,
    long recordCount,
    long dataSequenceNumber,
    long contentOffset,
    long contentBytes,
    Optional<String> referencedDataFile) {
  public DeleteFileRef {
    requireNonNull(identity, "identity is null");
    requireNonNull(location, "location is null");
    requireNonNull(format, "format is null");
    requireNonNull(referencedDataFile, "referencedDataFile is null");
  }
}
