package io.fulmar.catalog.type;

import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/**
 * The Arrow types of results. Every field is nullable, save those that Arrow's maps forbid to be.
 *
 * <table>
 *   <caption>Iceberg to Arrow</caption>
 *   <tr><td>boolean</td><td>Bool</td></tr>
 *   <tr><td>int, long</td><td>Int32, Int64</td></tr>
 *   <tr><td>float, double</td><td>Float32, Float64</td></tr>
 *   <tr><td>decimal(p, s)</td><td>Decimal128(p, s)</td></tr>
 *   <tr><td>date, time</td><td>Date32, Time64(us)</td></tr>
 *   <tr><td>timestamp, timestamptz</td><td>Timestamp(us), Timestamp(us, "UTC")</td></tr>
 *   <tr><td>timestamp_ns, timestamptz_ns</td><td>Timestamp(ns), Timestamp(ns, "UTC")</td></tr>
 *   <tr><td>string, uuid, variant</td><td>Utf8: uuid with dashes, variant as JSON</td></tr>
 *   <tr><td>fixed, binary, geometry, geography</td><td>Binary</td></tr>
 *   <tr><td>unknown</td><td>Null</td></tr>
 *   <tr><td>struct, list, map</td><td>Struct, List("element"), Map("key_value"("key", "value"))</td>
 *   </tr>
 * </table>
 */
public final class IcebergTypes {
  private static final String UTC = "UTC";

  private IcebergTypes() {}

  /** All columns of a schema, in order. */
  public static Schema toArrow(org.apache.iceberg.Schema schema) {
    return new Schema(fields(schema.asStruct()));
  }

  /** One column. */
  public static Field toArrow(Types.NestedField field) {
    return toArrow(field.name(), field.type());
  }

  /** A nullable field of that name. */
  public static Field toArrow(String name, Type type) {
    return new Field(name, FieldType.nullable(arrowType(type)), children(type));
  }

  /** The type alone, without its children. */
  public static ArrowType arrowType(Type type) {
    return switch (type.typeId()) {
      case BOOLEAN -> ArrowType.Bool.INSTANCE;
      case INTEGER -> new ArrowType.Int(32, true);
      case LONG -> new ArrowType.Int(64, true);
      case FLOAT -> new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
      case DOUBLE -> new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
      case DECIMAL -> decimal((Types.DecimalType) type);
      case DATE -> new ArrowType.Date(DateUnit.DAY);
      case TIME -> new ArrowType.Time(TimeUnit.MICROSECOND, 64);
      case TIMESTAMP ->
          timestamp(TimeUnit.MICROSECOND, ((Types.TimestampType) type).shouldAdjustToUTC());
      case TIMESTAMP_NANO ->
          timestamp(TimeUnit.NANOSECOND, ((Types.TimestampNanoType) type).shouldAdjustToUTC());
      case STRING, UUID, VARIANT -> ArrowType.Utf8.INSTANCE;
      case FIXED, BINARY, GEOMETRY, GEOGRAPHY -> ArrowType.Binary.INSTANCE;
      case UNKNOWN -> ArrowType.Null.INSTANCE;
      case STRUCT -> ArrowType.Struct.INSTANCE;
      case LIST -> ArrowType.List.INSTANCE;
      case MAP -> new ArrowType.Map(false);
    };
  }

  private static ArrowType decimal(Types.DecimalType type) {
    return new ArrowType.Decimal(type.precision(), type.scale(), 128);
  }

  private static ArrowType timestamp(TimeUnit unit, boolean instant) {
    return new ArrowType.Timestamp(unit, instant ? UTC : null);
  }

  private static List<Field> children(Type type) {
    if (type.isStructType()) {
      return fields(type.asStructType());
    }
    if (type.isListType()) {
      return List.of(toArrow("element", type.asListType().elementType()));
    }
    if (type.isMapType()) {
      return List.of(entries(type.asMapType()));
    }
    return List.of();
  }

  private static Field entries(Types.MapType map) {
    ArrowType keyType = arrowType(map.keyType());
    Field key = new Field("key", FieldType.notNullable(keyType), children(map.keyType()));
    Field value = toArrow("value", map.valueType());
    return new Field(
        "key_value", FieldType.notNullable(ArrowType.Struct.INSTANCE), List.of(key, value));
  }

  private static List<Field> fields(Types.StructType struct) {
    List<Field> fields = new ArrayList<>(struct.fields().size());
    for (Types.NestedField field : struct.fields()) {
      fields.add(toArrow(field));
    }
    return fields;
  }
}
