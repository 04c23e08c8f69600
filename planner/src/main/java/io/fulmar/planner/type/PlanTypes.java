package io.fulmar.planner.type;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.engine.plan.DataType;
import io.fulmar.engine.plan.DecimalType;
import io.fulmar.engine.plan.Field;
import io.fulmar.engine.plan.ListType;
import io.fulmar.engine.plan.MapType;
import io.fulmar.engine.plan.SimpleType;
import io.fulmar.engine.plan.StructType;
import io.fulmar.engine.plan.TimeUnit;
import io.fulmar.engine.plan.TimestampType;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;

/** The plan language's type of each SQL type. */
public final class PlanTypes {
  private static final int MICROS = 6;

  private PlanTypes() {}

  /** A named field. */
  public static Field field(String name, RelDataType type) {
    return Field.newBuilder().setName(name).setType(type(type)).build();
  }

  /** The fields of a row type. */
  public static List<Field> fields(RelDataType rowType) {
    return rowType.getFieldList().stream()
        .map(field -> field(field.getName(), field.getType()))
        .toList();
  }

  /** The plan language's type; nullability and lengths of text are not part of it. */
  public static DataType type(RelDataType type) {
    return switch (type.getSqlTypeName()) {
      case NULL -> simple(SimpleType.NULL);
      case BOOLEAN -> simple(SimpleType.BOOLEAN);
      case TINYINT -> simple(SimpleType.INT8);
      case SMALLINT -> simple(SimpleType.INT16);
      case INTEGER -> simple(SimpleType.INT32);
      case BIGINT -> simple(SimpleType.INT64);
      case REAL -> simple(SimpleType.FLOAT32);
      case FLOAT, DOUBLE -> simple(SimpleType.FLOAT64);
      case DATE -> simple(SimpleType.DATE);
      case TIME -> simple(SimpleType.TIME_MICROS);
      case CHAR, VARCHAR, UUID -> simple(SimpleType.STRING);
      case BINARY, VARBINARY -> simple(SimpleType.BINARY);
      case INTERVAL_YEAR, INTERVAL_YEAR_MONTH, INTERVAL_MONTH -> simple(SimpleType.INTERVAL_MONTHS);
      case INTERVAL_DAY,
          INTERVAL_DAY_HOUR,
          INTERVAL_DAY_MINUTE,
          INTERVAL_DAY_SECOND,
          INTERVAL_HOUR,
          INTERVAL_HOUR_MINUTE,
          INTERVAL_HOUR_SECOND,
          INTERVAL_MINUTE,
          INTERVAL_MINUTE_SECOND,
          INTERVAL_SECOND ->
          simple(SimpleType.INTERVAL_MICROS);
      default -> nested(type);
    };
  }

  /** A timestamp without zone, in microseconds. */
  public static DataType timestampMicros() {
    return DataType.newBuilder()
        .setTimestamp(TimestampType.newBuilder().setUnit(TimeUnit.MICROS))
        .build();
  }

  private static DataType nested(RelDataType type) {
    DataType.Builder builder = DataType.newBuilder();
    return switch (type.getSqlTypeName()) {
      case DECIMAL ->
          builder
              .setDecimal(
                  DecimalType.newBuilder()
                      .setPrecision(type.getPrecision())
                      .setScale(type.getScale()))
              .build();
      case TIMESTAMP -> builder.setTimestamp(timestamp(type)).build();
      case TIMESTAMP_WITH_LOCAL_TIME_ZONE, TIMESTAMP_TZ ->
          builder.setTimestamp(timestamp(type).toBuilder().setUtc(true)).build();
      case ROW -> builder.setStruct(StructType.newBuilder().addAllFields(fields(type))).build();
      case ARRAY, MULTISET ->
          builder.setList(ListType.newBuilder().setElement(type(type.getComponentType()))).build();
      case MAP ->
          builder
              .setMap(
                  MapType.newBuilder()
                      .setKey(type(type.getKeyType()))
                      .setValue(type(type.getValueType())))
              .build();
      default ->
          throw new FulmarException(
              ErrorCode.UNSUPPORTED_SQL, "Type " + type + " cannot be computed");
    };
  }

  private static TimestampType timestamp(RelDataType type) {
    TimeUnit unit = type.getPrecision() > MICROS ? TimeUnit.NANOS : TimeUnit.MICROS;
    return TimestampType.newBuilder().setUnit(unit).build();
  }

  private static DataType simple(SimpleType type) {
    return DataType.newBuilder().setSimple(type).build();
  }
}
