package io.fulmar.planner.type;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.IntervalUnit;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.calcite.rel.type.RelDataType;

/** The Arrow type in which each SQL type is announced and sent. All fields are nullable. */
public final class ArrowTypes {
  private static final String UTC = "UTC";
  private static final int MICROS = 6;
  private static final int DECIMAL_BITS = 128;
  private static final int TIME_BITS = 64;
  private static final int MILLI_TIME_BITS = 32;

  private ArrowTypes() {}

  /** The schema of rows, with names of its own. */
  public static Schema schema(List<String> names, RelDataType rowType) {
    List<Field> fields = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      fields.add(field(names.get(i), rowType.getFieldList().get(i).getType()));
    }
    return new Schema(fields);
  }

  /** A nullable field. */
  public static Field field(String name, RelDataType type) {
    return new Field(name, FieldType.nullable(type(type)), children(type));
  }

  /**
   * A field for a parameter. JDBC writes times as raw milliseconds whatever unit is declared, so
   * these are what timestamps and times declare; a parameter without a type is text.
   */
  public static Field parameter(String name, RelDataType type) {
    return switch (type.getSqlTypeName()) {
      case NULL, ANY, UNKNOWN ->
          new Field(name, FieldType.nullable(ArrowType.Utf8.INSTANCE), List.of());
      case TIMESTAMP ->
          new Field(
              name,
              FieldType.nullable(new ArrowType.Timestamp(TimeUnit.MILLISECOND, null)),
              List.of());
      case TIMESTAMP_WITH_LOCAL_TIME_ZONE, TIMESTAMP_TZ ->
          new Field(
              name,
              FieldType.nullable(new ArrowType.Timestamp(TimeUnit.MILLISECOND, UTC)),
              List.of());
      case TIME ->
          new Field(
              name,
              FieldType.nullable(new ArrowType.Time(TimeUnit.MILLISECOND, MILLI_TIME_BITS)),
              List.of());
      default -> field(name, type);
    };
  }

  private static ArrowType type(RelDataType type) {
    return switch (type.getSqlTypeName()) {
      case NULL -> ArrowType.Null.INSTANCE;
      case BOOLEAN -> ArrowType.Bool.INSTANCE;
      case TINYINT -> new ArrowType.Int(8, true);
      case SMALLINT -> new ArrowType.Int(16, true);
      case INTEGER -> new ArrowType.Int(32, true);
      case BIGINT -> new ArrowType.Int(64, true);
      case REAL -> new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
      case FLOAT, DOUBLE -> new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
      case DECIMAL -> new ArrowType.Decimal(type.getPrecision(), type.getScale(), DECIMAL_BITS);
      case DATE -> new ArrowType.Date(DateUnit.DAY);
      case TIME -> new ArrowType.Time(TimeUnit.MICROSECOND, TIME_BITS);
      case TIMESTAMP -> new ArrowType.Timestamp(unit(type), null);
      case TIMESTAMP_WITH_LOCAL_TIME_ZONE, TIMESTAMP_TZ -> new ArrowType.Timestamp(unit(type), UTC);
      case CHAR, VARCHAR, UUID -> ArrowType.Utf8.INSTANCE;
      case BINARY, VARBINARY -> ArrowType.Binary.INSTANCE;
      case INTERVAL_YEAR, INTERVAL_YEAR_MONTH, INTERVAL_MONTH ->
          new ArrowType.Interval(IntervalUnit.YEAR_MONTH);
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
          new ArrowType.Duration(TimeUnit.MICROSECOND);
      case ROW -> ArrowType.Struct.INSTANCE;
      case ARRAY, MULTISET -> ArrowType.List.INSTANCE;
      case MAP -> new ArrowType.Map(false);
      default -> throw unsupported(type);
    };
  }

  private static TimeUnit unit(RelDataType type) {
    return type.getPrecision() > MICROS ? TimeUnit.NANOSECOND : TimeUnit.MICROSECOND;
  }

  private static List<Field> children(RelDataType type) {
    return switch (type.getSqlTypeName()) {
      case ROW ->
          type.getFieldList().stream()
              .map(child -> field(child.getName(), child.getType()))
              .toList();
      case ARRAY, MULTISET -> List.of(field("element", type.getComponentType()));
      case MAP -> {
        Field key =
            new Field(
                "key", FieldType.notNullable(type(type.getKeyType())), children(type.getKeyType()));
        yield List.of(
            new Field(
                "key_value",
                FieldType.notNullable(ArrowType.Struct.INSTANCE),
                List.of(key, field("value", type.getValueType()))));
      }
      default -> List.of();
    };
  }

  private static FulmarException unsupported(RelDataType type) {
    return new FulmarException(
        ErrorCode.UNSUPPORTED_SQL, "Type " + type + " cannot be sent to a client");
  }
}
