package io.fulmar.reference.read;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.host.HostRow;
import io.fulmar.catalog.metadata.TableFields;
import io.fulmar.catalog.metadata.TableSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.types.Types;

/**
 * The columns of one set of equality ids, in ascending order of ids, of the newest schema that has
 * them (rules R19, R21); a key inside structs is read with nothing but the structs around it.
 */
record KeyFields(List<Integer> ids, List<Types.NestedField> columns) {
  /**
   * @param path of the delete file, for errors
   * @throws FulmarException INVALID_METADATA for an id that no schema knows (rule R17)
   */
  static KeyFields of(TableSnapshot table, String path, List<Integer> ids) {
    if (ids == null || ids.isEmpty()) {
      throw new FulmarException(
          ErrorCode.INVALID_METADATA,
          "The equality delete file " + path + " names no equality ids");
    }
    List<Integer> sorted = ids.stream().sorted().distinct().toList();
    List<Types.NestedField> columns = new ArrayList<>();
    for (int id : sorted) {
      Schema schema =
          TableFields.schemaOf(table.metadata(), id)
              .orElseThrow(
                  () ->
                      new FulmarException(
                          ErrorCode.INVALID_METADATA,
                          "The equality delete file %s has the key %d, which no schema knows"
                              .formatted(path, id)));
      columns.add(TypeUtil.select(schema, Set.of(id)).columns().get(0));
    }
    return new KeyFields(sorted, columns);
  }

  /** The key in a form with {@code equals}, of the columns that start at an ordinal of a row. */
  List<Object> key(Object[] row, int start) {
    List<Object> key = new ArrayList<>(columns.size());
    for (int i = 0; i < columns.size(); i++) {
      key.add(leaf(columns.get(i).type(), row[start + i]));
    }
    return key;
  }

  /** A NULL struct has NULL children (rule R20). */
  private static Object leaf(Type type, Object value) {
    Type at = type;
    Object found = value;
    while (at.isStructType() && found != null) {
      found = ((HostRow) found).get(0, Object.class);
      at = at.asStructType().fields().get(0).type();
    }
    return Leaves.key(found);
  }
}
