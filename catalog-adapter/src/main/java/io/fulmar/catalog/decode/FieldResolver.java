package io.fulmar.catalog.decode;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types.NestedField;

/** Finds requested fields in one file and says what stands for those that it lacks (rule R30). */
final class FieldResolver {
  private final FileReadRequest request;
  private final NameScope root;
  private final boolean identified;

  private FieldResolver(FileReadRequest request, NameScope root, boolean identified) {
    this.request = request;
    this.root = root;
    this.identified = identified;
  }

  /** For a file whose schema has a field id anywhere: its name mapping does not count. */
  static FieldResolver byFileIds(FileReadRequest request) {
    return new FieldResolver(request, NameScope.ownIds(), true);
  }

  /** For a file without any field id. */
  static FieldResolver byNames(FileReadRequest request) {
    NameScope root = request.nameMapping().map(NameScope::of).orElse(NameScope.nothing());
    return new FieldResolver(request, root, request.nameMapping().isPresent());
  }

  NameScope root() {
    return root;
  }

  /**
   * Field id → ordinal of a struct's fields.
   *
   * @throws FulmarException SCHEMA_MISMATCH if two fields have one id
   */
  Map<Integer, Integer> ordinals(List<FileField> fields, NameScope scope, String path) {
    Map<Integer, Integer> ordinals = new HashMap<>();
    for (int ordinal = 0; ordinal < fields.size(); ordinal++) {
      FileField field = fields.get(ordinal);
      OptionalInt id = scope.id(field.name(), field.id());
      if (id.isPresent() && ordinals.putIfAbsent(id.getAsInt(), ordinal) != null) {
        String other = fields.get(ordinals.get(id.getAsInt())).name();
        throw mismatch(
            "columns %s and %s of the file are both field %d",
            path + other, path + field.name(), id.getAsInt());
      }
    }
    return ordinals;
  }

  /**
   * The value of a field that the file lacks, in Iceberg's internal form, or null for NULL: the
   * identity partition's value, else the initial default, else NULL.
   *
   * @param path the field's full name
   * @throws FulmarException SCHEMA_MISMATCH for a required field without either, and where a file
   *     without ids cannot be mapped, as position and name would be guesses
   */
  Object absentValue(NestedField field, String path) {
    int id = field.fieldId();
    if (request.constants().containsKey(id)) {
      return request.constants().get(id);
    }

    if (request.nullConstants().contains(id)) {
      return null;
    }

    if (!identified && field.type().typeId() != Type.TypeID.UNKNOWN) {
      throw mismatch(
              "it has no field ids and the table no name mapping, so column %s cannot be found",
              path)
          .withHint("Set the table property schema.name-mapping.default.");
    }

    if (field.initialDefault() == null && field.isRequired()) {
      throw mismatch("it lacks the required column %s (field %d), which has no default", path, id);
    }
    return field.initialDefault();
  }

  /** The error for a column whose type in the file cannot become the requested one (rule R34). */
  FulmarException typeMismatch(String path, Object fileType, Type wanted) {
    return mismatch("column %s holds %s, which cannot be read as %s", path, fileType, wanted);
  }

  private FulmarException mismatch(String reason, Object... arguments) {
    return new FulmarException(
        ErrorCode.SCHEMA_MISMATCH,
        "Cannot read the file " + request.identity() + ": " + String.format(reason, arguments));
  }

  /** A field of a struct in a file's own schema. */
  record FileField(String name, OptionalInt id) {}
}
