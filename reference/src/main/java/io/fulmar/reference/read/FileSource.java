package io.fulmar.reference.read;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.metadata.TableSnapshot;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.PartitionField;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.mapping.NameMapping;
import org.apache.iceberg.mapping.NameMappingParser;

/**
 * One data or delete file and what finds its columns.
 *
 * @param path as the metadata spells it
 * @param constants field id → the identity partition's value, absent for NULL (rule R31)
 * @param lineage what NULL of the stored row lineage columns stands for, by field id (rule R36):
 *     Iceberg's readers give the stored values only to who names it
 */
record FileSource(
    String path,
    FileFormat format,
    InputFile input,
    Optional<NameMapping> mapping,
    Map<Integer, Optional<Object>> constants,
    Map<Integer, Long> lineage) {
  /**
   * Finds a file.
   *
   * @throws FulmarException FILE_NOT_FOUND; CORRUPT_FILE where its length is not the one that its
   *     metadata says: it is cut, or another file
   */
  static FileSource of(TableSnapshot table, ContentFile<?> file) {
    return new FileSource(
        file.location(),
        file.format(),
        found(table, file),
        mapping(table),
        constants(table, file),
        lineage(file));
  }

  private static InputFile found(TableSnapshot table, ContentFile<?> file) {
    try {
      InputFile input = table.io().newInputFile(file.location(), file.fileSizeInBytes());
      if (input.getLength() == 0) {
        throw new FulmarException(
            ErrorCode.CORRUPT_FILE, "The file " + file.location() + " is empty");
      }
      return input;
    } catch (RuntimeException e) {
      throw FileRows.failure(file.location(), e);
    }
  }

  private static Map<Integer, Long> lineage(ContentFile<?> file) {
    return file instanceof DataFile data && data.firstRowId() != null
        ? Map.of(
            MetadataColumns.ROW_ID.fieldId(),
            data.firstRowId(),
            MetadataColumns.LAST_UPDATED_SEQUENCE_NUMBER.fieldId(),
            data.dataSequenceNumber())
        : Map.of();
  }

  private static Optional<NameMapping> mapping(TableSnapshot table) {
    return Optional.ofNullable(
            table.metadata().properties().get(TableProperties.DEFAULT_NAME_MAPPING))
        .map(NameMappingParser::fromJson);
  }

  private static Map<Integer, Optional<Object>> constants(
      TableSnapshot table, ContentFile<?> file) {
    Map<Integer, Optional<Object>> constants = new HashMap<>();
    PartitionSpec spec = table.metadata().spec(file.specId());
    for (int i = 0; i < spec.fields().size(); i++) {
      PartitionField field = spec.fields().get(i);
      if (field.transform().isIdentity()) {
        constants.put(field.sourceId(), Optional.ofNullable(file.partition().get(i, Object.class)));
      }
    }
    return constants;
  }
}
