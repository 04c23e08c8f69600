package io.fulmar.planner.transport;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.metadata.TableSnapshot;
import io.fulmar.engine.plan.IcebergStruct;
import io.fulmar.engine.plan.SchemaField;
import io.fulmar.planner.deletes.FieldLookup;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.types.Types;

/**
 * The fields that a scan needs: whole top-level fields of the schema that SQL sees, and dropped
 * fields that equality deletes name (rule R19), each in the structs around it.
 */
final class ScanSchema {
  private final TableSnapshot snapshot;
  private final Map<Integer, SchemaField> topLevel = new LinkedHashMap<>();

  ScanSchema(TableSnapshot snapshot) {
    this.snapshot = requireNonNull(snapshot, "snapshot is null");
  }

  /** Adds a field of any depth. */
  void add(int fieldId) {
    Schema schema =
        FieldLookup.schemaOf(snapshot, fieldId)
            .orElseThrow(
                () ->
                    new FulmarException(
                        ErrorCode.INVALID_METADATA,
                        "Table " + snapshot.displayName() + " has no field " + fieldId));
    List<Types.NestedField> path = path(schema, fieldId);
    SchemaField known =
        topLevel.computeIfAbsent(
            path.get(0).fieldId(), id -> TypedSchemas.field(current(path.get(0))));
    topLevel.put(known.getId(), withPath(known, path, 1));
  }

  /** The field as the schema that SQL sees has it, where it does. */
  private Types.NestedField current(Types.NestedField field) {
    Types.NestedField seen = snapshot.schema().findField(field.fieldId());
    return seen == null ? field : seen;
  }

  /** The fields from the top level down to a field. */
  private static List<Types.NestedField> path(Schema schema, int fieldId) {
    Map<Integer, Integer> parents = TypeUtil.indexParents(schema.asStruct());
    List<Types.NestedField> path = new ArrayList<>();
    Integer id = fieldId;
    while (id != null) {
      path.add(0, schema.findField(id));
      id = parents.get(id);
    }
    return path;
  }

  /** {@code parent} with the fields of {@code path} from {@code depth} on, where it lacks them. */
  private static SchemaField withPath(SchemaField parent, List<Types.NestedField> path, int depth) {
    if (depth == path.size() || !parent.getType().hasStruct()) {
      return parent;
    }
    Types.NestedField wanted = path.get(depth);
    IcebergStruct.Builder struct = parent.getType().getStruct().toBuilder();
    for (int i = 0; i < struct.getFieldsCount(); i++) {
      if (struct.getFields(i).getId() == wanted.fieldId()) {
        struct.setFields(i, withPath(struct.getFields(i), path, depth + 1));
        return parent.toBuilder().setType(parent.getType().toBuilder().setStruct(struct)).build();
      }
    }
    struct.addFields(TypedSchemas.field(wanted));
    return parent.toBuilder().setType(parent.getType().toBuilder().setStruct(struct)).build();
  }

  List<SchemaField> fields() {
    return List.copyOf(topLevel.values());
  }
}
