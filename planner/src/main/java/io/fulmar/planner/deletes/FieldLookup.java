package io.fulmar.planner.deletes;

import io.fulmar.catalog.metadata.TableFields;
import io.fulmar.catalog.metadata.TableSnapshot;
import java.util.Optional;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;

/**
 * Finds fields by id in the schema that SQL sees, else in the newest schema of the table that has
 * them: delete keys may name dropped columns (rule R19).
 */
public final class FieldLookup {
  private FieldLookup() {}

  /** The field, absent where no schema of the table has the id. */
  public static Optional<Types.NestedField> find(TableSnapshot snapshot, int fieldId) {
    return schemaOf(snapshot, fieldId).map(schema -> schema.findField(fieldId));
  }

  /** The schema in which {@link #find} finds the field. */
  public static Optional<Schema> schemaOf(TableSnapshot snapshot, int fieldId) {
    return snapshot.schema().findField(fieldId) != null
        ? Optional.of(snapshot.schema())
        : TableFields.schemaOf(snapshot.metadata(), fieldId);
  }

  /** The field's path for people. */
  static String fullName(TableSnapshot snapshot, int fieldId) {
    return schemaOf(snapshot, fieldId)
        .map(schema -> schema.findColumnName(fieldId))
        .orElse("field " + fieldId);
  }
}
