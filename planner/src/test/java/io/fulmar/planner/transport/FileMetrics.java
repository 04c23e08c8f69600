package io.fulmar.planner.transport;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.types.Comparators;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/** Data files with the statistics that a writer would give them. */
final class FileMetrics {
  private FileMetrics() {}

  /**
   * @param rows of {@code SqlValues} by position of {@code fields}
   */
  static DataFile file(List<Types.NestedField> fields, List<List<Object>> rows) {
    Map<Integer, Long> values = new HashMap<>();
    Map<Integer, Long> nulls = new HashMap<>();
    Map<Integer, Long> nans = new HashMap<>();
    Map<Integer, ByteBuffer> lower = new HashMap<>();
    Map<Integer, ByteBuffer> upper = new HashMap<>();
    for (int i = 0; i < fields.size(); i++) {
      Types.NestedField field = fields.get(i);
      int position = i;
      List<Object> column =
          rows.stream()
              .map(row -> internal(row.get(position), field.type()))
              .filter(Objects::nonNull)
              .toList();
      List<Object> numbers = column.stream().filter(value -> !isNan(value)).toList();
      values.put(field.fieldId(), (long) rows.size());
      nulls.put(field.fieldId(), (long) rows.size() - column.size());
      if (isFloat(field.type())) {
        nans.put(field.fieldId(), (long) column.size() - numbers.size());
      }
      Comparator<Object> order = Comparators.forType(field.type().asPrimitiveType());
      numbers.stream()
          .min(order)
          .ifPresent(
              least -> lower.put(field.fieldId(), Conversions.toByteBuffer(field.type(), least)));
      numbers.stream()
          .max(order)
          .ifPresent(
              most -> upper.put(field.fieldId(), Conversions.toByteBuffer(field.type(), most)));
    }
    return DataFiles.builder(PartitionSpec.unpartitioned())
        .withPath("file:/tmp/rows.parquet")
        .withFormat(FileFormat.PARQUET)
        .withFileSizeInBytes(1)
        .withMetrics(new Metrics((long) rows.size(), Map.of(), values, nulls, nans, lower, upper))
        .build();
  }

  private static boolean isFloat(Type type) {
    return type.typeId() == Type.TypeID.FLOAT || type.typeId() == Type.TypeID.DOUBLE;
  }

  private static boolean isNan(Object value) {
    return (value instanceof Float single && single.isNaN())
        || (value instanceof Double number && number.isNaN());
  }

  /** A value in Iceberg's internal form. */
  static Object internal(Object value, Type type) {
    if (value == null) {
      return null;
    }
    return switch (type.typeId()) {
      case DATE -> (int) ((LocalDate) value).toEpochDay();
      case TIMESTAMP -> SqlValues.micros((LocalDateTime) value);
      case TIMESTAMP_NANO -> SqlValues.nanos((LocalDateTime) value);
      case DECIMAL -> ((BigDecimal) value).setScale(((Types.DecimalType) type).scale());
      default -> value;
    };
  }
}
