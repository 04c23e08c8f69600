package io.fulmar.catalog.scan;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;

/** The columns that say which commit did what, with the ids that the format reserves (rule R35). */
public final class ChangeColumns {
  private static final Types.NestedField TYPE =
      Types.NestedField.optional(
          MetadataColumns.CHANGE_TYPE.fieldId(), "_change_type", Types.StringType.get());
  private static final Types.NestedField ORDINAL =
      Types.NestedField.optional(
          MetadataColumns.CHANGE_ORDINAL.fieldId(), "_change_ordinal", Types.IntegerType.get());
  private static final Types.NestedField COMMIT =
      Types.NestedField.optional(
          MetadataColumns.COMMIT_SNAPSHOT_ID.fieldId(),
          "_commit_snapshot_id",
          Types.LongType.get());

  private ChangeColumns() {}

  /** Names of the columns. */
  public static List<String> names() {
    return List.of(TYPE.name(), ORDINAL.name(), COMMIT.name());
  }

  /**
   * The columns of a table, then these.
   *
   * @throws FulmarException UNSUPPORTED_TABLE for a table that has a column of such a name
   */
  public static Schema addTo(Schema schema) {
    List<Types.NestedField> fields = new ArrayList<>(schema.columns());
    for (Types.NestedField field : List.of(TYPE, ORDINAL, COMMIT)) {
      if (schema.caseInsensitiveFindField(field.name()) != null) {
        throw new FulmarException(
            ErrorCode.UNSUPPORTED_TABLE, "The table has a column of its own named " + field.name());
      }
      fields.add(field);
    }
    return new Schema(fields);
  }

  /** Their values in one commit, by field id, in Iceberg's internal Java form. */
  static Map<Integer, Object> values(String type, int ordinal, long snapshotId) {
    return Map.of(TYPE.fieldId(), type, ORDINAL.fieldId(), ordinal, COMMIT.fieldId(), snapshotId);
  }
}
