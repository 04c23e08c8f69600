package io.fulmar.it.property;

import java.nio.ByteBuffer;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.IdentityPartitionConverters;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/** The model's own reading of a row under a schema: by id, promoted, with defaults. */
final class Projection {
  private Projection() {}

  /** The fields' values by id. */
  static Map<Integer, Object> struct(List<Types.NestedField> fields, Map<Integer, Object> stored) {
    Map<Integer, Object> projected = new HashMap<>();
    for (Types.NestedField field : fields) {
      Object value =
          stored.containsKey(field.fieldId())
              ? value(field.type(), stored.get(field.fieldId()))
              : IdentityPartitionConverters.convertConstant(field.type(), field.initialDefault());
      projected.put(field.fieldId(), value);
    }
    return projected;
  }

  @SuppressWarnings("unchecked")
  private static Object value(Type type, Object stored) {
    if (stored == null) {
      return null;
    }
    return switch (type.typeId()) {
      case STRUCT -> struct(type.asStructType().fields(), (Map<Integer, Object>) stored);
      case LIST -> {
        List<Object> elements = new ArrayList<>();
        ((List<?>) stored).forEach(e -> elements.add(value(type.asListType().elementType(), e)));
        yield elements;
      }
      case MAP -> {
        Map<Object, Object> entries = new LinkedHashMap<>();
        ((Map<?, ?>) stored)
            .forEach((k, v) -> entries.put(k, value(type.asMapType().valueType(), v)));
        yield entries;
      }
      case LONG -> ((Number) stored).longValue();
      case DOUBLE -> ((Number) stored).doubleValue();
      case TIMESTAMP, TIMESTAMP_NANO ->
          stored instanceof LocalDate date ? date.atStartOfDay() : stored;
      default -> stored;
    };
  }

  /** A record for Iceberg's writers. */
  static Record record(Types.StructType type, Map<Integer, Object> values) {
    GenericRecord record = GenericRecord.create(type);
    for (int i = 0; i < type.fields().size(); i++) {
      Types.NestedField field = type.fields().get(i);
      record.set(i, written(field.type(), values.get(field.fieldId())));
    }
    return record;
  }

  @SuppressWarnings("unchecked")
  private static Object written(Type type, Object value) {
    if (value == null) {
      return null;
    }
    return switch (type.typeId()) {
      case STRUCT -> record(type.asStructType(), (Map<Integer, Object>) value);
      case LIST -> {
        List<Object> elements = new ArrayList<>();
        ((List<?>) value).forEach(e -> elements.add(written(type.asListType().elementType(), e)));
        yield elements;
      }
      case BINARY -> ((ByteBuffer) value).duplicate();
      default -> value;
    };
  }
}
