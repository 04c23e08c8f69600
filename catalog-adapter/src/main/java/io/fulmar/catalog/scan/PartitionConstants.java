package io.fulmar.catalog.scan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.PartitionField;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/** The columns that identity partition fields of a spec stand for (rules R30, R31). */
final class PartitionConstants {
  private final List<Source> sources = new ArrayList<>();

  PartitionConstants(PartitionSpec spec) {
    List<Types.NestedField> tuple = spec.partitionType().fields();
    for (int position = 0; position < tuple.size(); position++) {
      PartitionField field = spec.fields().get(position);
      if (field.transform().isIdentity()) {
        sources.add(new Source(position, field.sourceId(), tuple.get(position).type()));
      }
    }
  }

  private record Source(int position, int fieldId, Type type) {}

  /**
   * @param values field id → value in Iceberg's internal Java form
   * @param nulls field ids whose value is NULL
   */
  record Constants(Map<Integer, Object> values, List<Integer> nulls) {}

  Constants of(StructLike tuple) {
    Map<Integer, Object> values = new HashMap<>();
    List<Integer> nulls = new ArrayList<>();
    for (Source source : sources) {
      Object value = tuple.get(source.position, Object.class);
      if (value == null) {
        nulls.add(source.fieldId);
      } else {
        values.put(source.fieldId, widened(source.type, value));
      }
    }
    return new Constants(values, nulls);
  }

  /** Old manifests may hold the narrower form of a promoted type. */
  private static Object widened(Type type, Object value) {
    return switch (type.typeId()) {
      case LONG -> ((Number) value).longValue();
      case DOUBLE -> ((Number) value).doubleValue();
      case STRING -> value.toString();
      default -> value;
    };
  }
}
