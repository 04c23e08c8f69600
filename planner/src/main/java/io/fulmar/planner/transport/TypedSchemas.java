package io.fulmar.planner.transport;

import com.google.protobuf.ByteString;
import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.engine.plan.DecimalType;
import io.fulmar.engine.plan.IcebergMap;
import io.fulmar.engine.plan.IcebergStruct;
import io.fulmar.engine.plan.IcebergType;
import io.fulmar.engine.plan.Literal;
import io.fulmar.engine.plan.PrimitiveType;
import io.fulmar.engine.plan.SchemaField;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/** Fields of Iceberg schemas as plan messages. */
final class TypedSchemas {
  private TypedSchemas() {}

  /** The field with its whole subtree. */
  static SchemaField field(Types.NestedField field) {
    SchemaField.Builder builder =
        SchemaField.newBuilder()
            .setId(field.fieldId())
            .setName(field.name())
            .setRequired(field.isRequired())
            .setType(type(field.type()));
    if (field.initialDefault() != null) {
      builder.setInitialDefault(defaultValue(field));
    }
    return builder.build();
  }

  private static IcebergType type(Type type) {
    IcebergType.Builder builder = IcebergType.newBuilder();
    switch (type.typeId()) {
      case DECIMAL -> {
        Types.DecimalType decimal = (Types.DecimalType) type;
        builder.setDecimal(
            DecimalType.newBuilder().setPrecision(decimal.precision()).setScale(decimal.scale()));
      }
      case FIXED -> builder.setFixedBytes(((Types.FixedType) type).length());
      case STRUCT -> {
        IcebergStruct.Builder struct = IcebergStruct.newBuilder();
        type.asStructType().fields().forEach(child -> struct.addFields(field(child)));
        builder.setStruct(struct);
      }
      case LIST -> builder.setListElement(field(type.asListType().fields().get(0)));
      case MAP -> {
        Types.MapType map = type.asMapType();
        builder.setMap(
            IcebergMap.newBuilder()
                .setKey(field(map.fields().get(0)))
                .setValue(field(map.fields().get(1))));
      }
      default -> builder.setPrimitive(primitive(type));
    }
    return builder.build();
  }

  private static PrimitiveType primitive(Type type) {
    return switch (type.typeId()) {
      case BOOLEAN -> PrimitiveType.ICEBERG_BOOLEAN;
      case INTEGER -> PrimitiveType.ICEBERG_INT;
      case LONG -> PrimitiveType.ICEBERG_LONG;
      case FLOAT -> PrimitiveType.ICEBERG_FLOAT;
      case DOUBLE -> PrimitiveType.ICEBERG_DOUBLE;
      case DATE -> PrimitiveType.ICEBERG_DATE;
      case TIME -> PrimitiveType.ICEBERG_TIME;
      case TIMESTAMP ->
          ((Types.TimestampType) type).shouldAdjustToUTC()
              ? PrimitiveType.ICEBERG_TIMESTAMPTZ
              : PrimitiveType.ICEBERG_TIMESTAMP;
      case TIMESTAMP_NANO ->
          ((Types.TimestampNanoType) type).shouldAdjustToUTC()
              ? PrimitiveType.ICEBERG_TIMESTAMPTZ_NS
              : PrimitiveType.ICEBERG_TIMESTAMP_NS;
      case STRING -> PrimitiveType.ICEBERG_STRING;
      case UUID -> PrimitiveType.ICEBERG_UUID;
      case BINARY -> PrimitiveType.ICEBERG_BINARY;
      case UNKNOWN -> PrimitiveType.ICEBERG_UNKNOWN;
      case VARIANT -> PrimitiveType.ICEBERG_VARIANT;
      case GEOMETRY -> PrimitiveType.ICEBERG_GEOMETRY;
      case GEOGRAPHY -> PrimitiveType.ICEBERG_GEOGRAPHY;
      default ->
          throw new FulmarException(
              ErrorCode.UNSUPPORTED_TABLE, "Iceberg type " + type + " is not supported");
    };
  }

  /** An initial default in Iceberg's internal form, as a value of the field's SQL type. */
  private static Literal defaultValue(Types.NestedField field) {
    Object value = field.initialDefault();
    Literal.Builder builder = Literal.newBuilder();
    switch (field.type().typeId()) {
      case BOOLEAN -> builder.setBoolean((Boolean) value);
      case INTEGER, LONG, DATE, TIME, TIMESTAMP, TIMESTAMP_NANO ->
          builder.setInteger(((Number) value).longValue());
      case FLOAT -> builder.setFloat32((Float) value);
      case DOUBLE -> builder.setFloat64((Double) value);
      case DECIMAL ->
          builder.setDecimal(
              ByteString.copyFrom(((BigDecimal) value).unscaledValue().toByteArray()));
      case STRING, UUID -> builder.setString(value.toString());
      case BINARY, FIXED ->
          builder.setBinary(ByteString.copyFrom(((ByteBuffer) value).duplicate()));
      default ->
          throw new FulmarException(
              ErrorCode.UNSUPPORTED_TABLE,
              "Field " + field.name() + " has a default of type " + field.type());
    }
    return builder.build();
  }
}
