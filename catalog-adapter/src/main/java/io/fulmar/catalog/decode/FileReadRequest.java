package io.fulmar.catalog.decode;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Schema;
import org.apache.iceberg.mapping.NameMapping;

/**
 * One ORC or Avro file to decode: a data file, an equality-delete file or a position-delete file.
 *
 * @param identity the path string of the metadata: the table's FileIO opens it, errors name it
 * @param format ORC or AVRO
 * @param fileBytes the size that the metadata states; a shorter file is corrupt
 * @param fields the columns wanted, in order, whole subtrees with ids, defaults and {@code
 *     required}
 * @param nameMapping gives ids to a file without any (rule R32)
 * @param constants field id → value in Iceberg's internal Java form, used where the file lacks the
 *     field (rule R31)
 * @param nullConstants field ids whose constant is NULL
 * @param rowPosition whether a last column {@code _pos} is wanted
 */
public record FileReadRequest(
    String identity,
    FileFormat format,
    long fileBytes,
    Schema fields,
    Optional<NameMapping> nameMapping,
    Map<Integer, Object> constants,
    Set<Integer> nullConstants,
    RowPosition rowPosition) {
  public FileReadRequest {
    requireNonNull(identity, "identity is null");
    requireNonNull(format, "format is null");
    requireNonNull(fields, "fields is null");
    requireNonNull(nameMapping, "nameMapping is null");
    constants = Map.copyOf(constants);
    nullConstants = Set.copyOf(nullConstants);
    requireNonNull(rowPosition, "rowPosition is null");
  }

  /** Whether the batches end with {@code _pos}: the row's ordinal in the file, INT64, from 0. */
  public enum RowPosition {
    OMITTED,
    APPENDED
  }
}
