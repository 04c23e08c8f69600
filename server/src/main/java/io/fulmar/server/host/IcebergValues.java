package io.fulmar.server.host;

import com.google.protobuf.ByteString;
import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.engine.plan.DataType;
import io.fulmar.engine.plan.DecimalType;
import io.fulmar.engine.plan.Literal;
import io.fulmar.engine.plan.LiteralList;
import io.fulmar.engine.plan.SimpleType;
import io.fulmar.engine.plan.TimeUnit;
import io.fulmar.engine.plan.TimestampType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/** Primitive values in Iceberg's internal Java form, as the plan language writes them, and back. */
final class IcebergValues {
  private IcebergValues() {}

  /** The SQL form of a primitive type. */
  static DataType dataType(Type type) {
    return switch (type.typeId()) {
      case BOOLEAN -> simple(SimpleType.BOOLEAN);
      case INTEGER -> simple(SimpleType.INT32);
      case LONG -> simple(SimpleType.INT64);
      case FLOAT -> simple(SimpleType.FLOAT32);
      case DOUBLE -> simple(SimpleType.FLOAT64);
      case DATE -> simple(SimpleType.DATE);
      case TIME -> simple(SimpleType.TIME_MICROS);
      case TIMESTAMP ->
          timestamp(TimeUnit.MICROS, ((Types.TimestampType) type).shouldAdjustToUTC());
      case TIMESTAMP_NANO ->
          timestamp(TimeUnit.NANOS, ((Types.TimestampNanoType) type).shouldAdjustToUTC());
      case STRING, UUID, UNKNOWN -> simple(SimpleType.STRING);
      case FIXED, BINARY -> simple(SimpleType.BINARY);
      case DECIMAL -> decimal((Types.DecimalType) type);
      default -> throw unsupported(type);
    };
  }

  /** A value of a primitive type; null is NULL, and so is every value of the type unknown. */
  static Literal literal(Type type, Object value) {
    Literal.Builder literal = Literal.newBuilder();
    if (value == null || type.typeId() == Type.TypeID.UNKNOWN) {
      return literal.setNull(true).build();
    }

    return switch (type.typeId()) {
      case BOOLEAN -> literal.setBoolean((Boolean) value).build();
      case INTEGER, LONG, DATE, TIME, TIMESTAMP, TIMESTAMP_NANO ->
          literal.setInteger(((Number) value).longValue()).build();
      case FLOAT -> literal.setFloat32(((Number) value).floatValue()).build();
      case DOUBLE -> literal.setFloat64(((Number) value).doubleValue()).build();
      case STRING, UUID -> literal.setString(value.toString()).build();
      case FIXED, BINARY -> literal.setBinary(bytes(value)).build();
      case DECIMAL -> literal.setDecimal(unscaled((BigDecimal) value)).build();
      default -> throw unsupported(type);
    };
  }

  /** A struct of primitive fields. */
  static Literal struct(Types.StructType type, StructLike value) {
    LiteralList.Builder fields = LiteralList.newBuilder();
    for (int i = 0; i < type.fields().size(); i++) {
      Type fieldType = type.fields().get(i).type();
      fields.addValues(literal(fieldType, value.get(i, Object.class)));
    }
    return Literal.newBuilder().setList(fields).build();
  }

  /** The Java form of a literal of a primitive type; it must not be NULL. */
  static Object value(Type type, Literal literal) {
    return switch (type.typeId()) {
      case BOOLEAN -> literal.getBoolean();
      case INTEGER, DATE -> Math.toIntExact(literal.getInteger());
      case LONG, TIME, TIMESTAMP, TIMESTAMP_NANO -> literal.getInteger();
      case FLOAT -> literal.getFloat32();
      case DOUBLE -> literal.getFloat64();
      case STRING -> literal.getString();
      case UUID -> UUID.fromString(literal.getString());
      case FIXED, BINARY -> ByteBuffer.wrap(literal.getBinary().toByteArray());
      case DECIMAL ->
          new BigDecimal(
              new BigInteger(literal.getDecimal().toByteArray()),
              ((Types.DecimalType) type).scale());
      default -> throw unsupported(type);
    };
  }

  private static ByteString bytes(Object value) {
    return value instanceof ByteBuffer buffer
        ? ByteString.copyFrom(buffer.duplicate())
        : ByteString.copyFrom((byte[]) value);
  }

  private static ByteString unscaled(BigDecimal value) {
    return ByteString.copyFrom(value.unscaledValue().toByteArray());
  }

  private static DataType decimal(Types.DecimalType type) {
    return DataType.newBuilder()
        .setDecimal(DecimalType.newBuilder().setPrecision(type.precision()).setScale(type.scale()))
        .build();
  }

  private static DataType timestamp(TimeUnit unit, boolean utc) {
    return DataType.newBuilder()
        .setTimestamp(TimestampType.newBuilder().setUnit(unit).setUtc(utc))
        .build();
  }

  private static DataType simple(SimpleType type) {
    return DataType.newBuilder().setSimple(type).build();
  }

  private static FulmarException unsupported(Type type) {
    return new FulmarException(
        ErrorCode.UNSUPPORTED_TABLE, "A partition value or default cannot have the type " + type);
  }
}
