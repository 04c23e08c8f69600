package io.fulmar.planner.type;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/** Iceberg schemas of query results, with field ids of their own. */
public final class IcebergSchemas {
  private static final int MICRO_DIGITS = 6;

  private IcebergSchemas() {}

  /**
   * The schema of a row type.
   *
   * @param names one for each column
   * @param comments one for each column
   * @throws FulmarException UNSUPPORTED_SQL naming a column whose type Iceberg lacks
   */
  public static Schema of(
      RelDataType rowType, List<String> names, List<Optional<String>> comments) {
    AtomicInteger ids = new AtomicInteger();
    List<Types.NestedField> fields = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      RelDataType type = rowType.getFieldList().get(i).getType();
      int id = ids.getAndIncrement();
      fields.add(
          Types.NestedField.builder()
              .withId(id)
              .withName(names.get(i))
              .isOptional(type.isNullable())
              .ofType(type(names.get(i), type, ids))
              .withDoc(comments.get(i).orElse(null))
              .build());
    }
    return new Schema(fields);
  }

  private static Type type(String column, RelDataType type, AtomicInteger ids) {
    return switch (type.getSqlTypeName()) {
      case BOOLEAN -> Types.BooleanType.get();
      case TINYINT, SMALLINT, INTEGER -> Types.IntegerType.get();
      case BIGINT -> Types.LongType.get();
      case REAL -> Types.FloatType.get();
      case FLOAT, DOUBLE -> Types.DoubleType.get();
      case DECIMAL -> Types.DecimalType.of(type.getPrecision(), type.getScale());
      case DATE -> Types.DateType.get();
      case TIME -> Types.TimeType.get();
      case TIMESTAMP, TIMESTAMP_WITH_LOCAL_TIME_ZONE -> timestamp(type);
      case CHAR, VARCHAR -> Types.StringType.get();
      case BINARY, VARBINARY -> Types.BinaryType.get();
      case ARRAY -> {
        int id = ids.getAndIncrement();
        Type element = type(column, type.getComponentType(), ids);
        yield type.getComponentType().isNullable()
            ? Types.ListType.ofOptional(id, element)
            : Types.ListType.ofRequired(id, element);
      }
      case MAP -> {
        int key = ids.getAndIncrement();
        int value = ids.getAndIncrement();
        Type keys = type(column, type.getKeyType(), ids);
        Type values = type(column, type.getValueType(), ids);
        yield type.getValueType().isNullable()
            ? Types.MapType.ofOptional(key, value, keys, values)
            : Types.MapType.ofRequired(key, value, keys, values);
      }
      case ROW -> struct(column, type, ids);
      default ->
          throw new FulmarException(
              ErrorCode.UNSUPPORTED_SQL,
              "The column %s has the type %s, which Iceberg lacks"
                  .formatted(column, type.getSqlTypeName().getSpaceName()));
    };
  }

  private static Type timestamp(RelDataType type) {
    boolean utc = type.getSqlTypeName() == SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE;
    if (type.getPrecision() > MICRO_DIGITS) {
      return utc ? Types.TimestampNanoType.withZone() : Types.TimestampNanoType.withoutZone();
    }
    return utc ? Types.TimestampType.withZone() : Types.TimestampType.withoutZone();
  }

  private static Type struct(String column, RelDataType type, AtomicInteger ids) {
    List<Types.NestedField> fields = new ArrayList<>();
    for (RelDataTypeField field : type.getFieldList()) {
      int id = ids.getAndIncrement();
      Type child = type(column, field.getType(), ids);
      fields.add(
          field.getType().isNullable()
              ? Types.NestedField.optional(id, field.getName(), child)
              : Types.NestedField.required(id, field.getName(), child));
    }
    return Types.StructType.of(fields);
  }
}
