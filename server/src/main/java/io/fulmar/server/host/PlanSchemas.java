package io.fulmar.server.host;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.engine.plan.IcebergMap;
import io.fulmar.engine.plan.IcebergType;
import io.fulmar.engine.plan.PrimitiveType;
import io.fulmar.engine.plan.SchemaField;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.iceberg.Schema;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.types.Types;

/** Iceberg schemas from the plan language's fields. */
final class PlanSchemas {
  private PlanSchemas() {}

  /**
   * A schema of the fields. A dropped key of equality deletes may have the name of a column that
   * came later (rule R19); Iceberg wants names to be unique, and nothing reads by them.
   */
  static Schema schema(List<SchemaField> fields) {
    List<Types.NestedField> columns = new ArrayList<>();
    Set<String> taken = new HashSet<>();
    for (SchemaField each : fields) {
      Types.NestedField column = field(each);
      while (names(column).stream().anyMatch(taken::contains)) {
        column =
            Types.NestedField.from(column).withName(column.name() + "#" + column.fieldId()).build();
      }
      taken.addAll(names(column));
      columns.add(column);
    }
    return new Schema(columns);
  }

  /** Of the column and of all that is nested in it. */
  private static Set<String> names(Types.NestedField column) {
    return TypeUtil.indexByName(Types.StructType.of(column)).keySet();
  }

  private static Types.NestedField field(SchemaField field) {
    Type type = type(field.getType());
    Types.NestedField.Builder builder =
        Types.NestedField.builder()
            .withId(field.getId())
            .withName(field.getName())
            .isOptional(!field.getRequired())
            .ofType(type);
    if (field.hasInitialDefault() && !field.getInitialDefault().getNull()) {
      Object value = IcebergValues.value(type, field.getInitialDefault());
      builder.withInitialDefault(Expressions.lit(value).to(type));
    }
    return builder.build();
  }

  private static Type type(IcebergType type) {
    return switch (type.getKindCase()) {
      case PRIMITIVE -> primitive(type.getPrimitive());
      case DECIMAL ->
          Types.DecimalType.of(type.getDecimal().getPrecision(), type.getDecimal().getScale());
      case FIXED_BYTES -> Types.FixedType.ofLength(type.getFixedBytes());
      case STRUCT ->
          Types.StructType.of(
              type.getStruct().getFieldsList().stream().map(PlanSchemas::field).toList());
      case LIST_ELEMENT -> list(type.getListElement());
      case MAP -> map(type.getMap());
      case KIND_NOT_SET -> throw unknown(type);
    };
  }

  private static Type list(SchemaField element) {
    Type type = type(element.getType());
    return element.getRequired()
        ? Types.ListType.ofRequired(element.getId(), type)
        : Types.ListType.ofOptional(element.getId(), type);
  }

  private static Type map(IcebergMap map) {
    Type key = type(map.getKey().getType());
    Type value = type(map.getValue().getType());
    int keyId = map.getKey().getId();
    int valueId = map.getValue().getId();
    return map.getValue().getRequired()
        ? Types.MapType.ofRequired(keyId, valueId, key, value)
        : Types.MapType.ofOptional(keyId, valueId, key, value);
  }

  private static Type primitive(PrimitiveType type) {
    return switch (type) {
      case ICEBERG_BOOLEAN -> Types.BooleanType.get();
      case ICEBERG_INT -> Types.IntegerType.get();
      case ICEBERG_LONG -> Types.LongType.get();
      case ICEBERG_FLOAT -> Types.FloatType.get();
      case ICEBERG_DOUBLE -> Types.DoubleType.get();
      case ICEBERG_DATE -> Types.DateType.get();
      case ICEBERG_TIME -> Types.TimeType.get();
      case ICEBERG_TIMESTAMP -> Types.TimestampType.withoutZone();
      case ICEBERG_TIMESTAMPTZ -> Types.TimestampType.withZone();
      case ICEBERG_TIMESTAMP_NS -> Types.TimestampNanoType.withoutZone();
      case ICEBERG_TIMESTAMPTZ_NS -> Types.TimestampNanoType.withZone();
      case ICEBERG_STRING -> Types.StringType.get();
      case ICEBERG_UUID -> Types.UUIDType.get();
      case ICEBERG_BINARY -> Types.BinaryType.get();
      case ICEBERG_UNKNOWN -> Types.UnknownType.get();
      case ICEBERG_VARIANT -> Types.VariantType.get();
      case ICEBERG_GEOMETRY -> Types.GeometryType.crs84();
      case ICEBERG_GEOGRAPHY -> Types.GeographyType.crs84();
      case PRIMITIVE_TYPE_UNSPECIFIED, UNRECOGNIZED -> throw unknown(type);
    };
  }

  private static FulmarException unknown(Object type) {
    return new FulmarException(
        ErrorCode.INTERNAL_ERROR, "The engine asks for a field of the unknown type " + type);
  }
}
