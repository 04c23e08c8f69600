package io.fulmar.planner.type;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.StructKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/** The SQL type of each Iceberg type. */
public final class SqlTypes {
  private static final int MICROS = 6;
  private static final int NANOS = 9;

  private SqlTypes() {}

  /**
   * The SQL type of an Iceberg type. Text is VARCHAR, uuid is VARCHAR (36 characters with dashes),
   * binary, fixed, geometry and geography are VARBINARY, variant is VARCHAR of JSON, timestamps
   * with zone are TIMESTAMP WITH LOCAL TIME ZONE, structs are ROWs whose fields resolve without a
   * prefix.
   *
   * @param nullable whether a value may be NULL
   */
  public static RelDataType fromIceberg(
      RelDataTypeFactory factory, Type type, Nullability nullable) {
    return factory.createTypeWithNullability(
        convert(factory, type), nullable == Nullability.NULLABLE);
  }

  /** Whether a value may be NULL. */
  public enum Nullability {
    NULLABLE,
    REQUIRED;

    static Nullability of(Types.NestedField field) {
      return field.isOptional() ? NULLABLE : REQUIRED;
    }
  }

  private static RelDataType convert(RelDataTypeFactory factory, Type type) {
    return switch (type.typeId()) {
      case BOOLEAN -> factory.createSqlType(SqlTypeName.BOOLEAN);
      case INTEGER -> factory.createSqlType(SqlTypeName.INTEGER);
      case LONG -> factory.createSqlType(SqlTypeName.BIGINT);
      case FLOAT -> factory.createSqlType(SqlTypeName.REAL);
      case DOUBLE -> factory.createSqlType(SqlTypeName.DOUBLE);
      case DATE -> factory.createSqlType(SqlTypeName.DATE);
      case TIME -> factory.createSqlType(SqlTypeName.TIME, MICROS);
      case TIMESTAMP ->
          timestamp(factory, ((Types.TimestampType) type).shouldAdjustToUTC(), MICROS);
      case TIMESTAMP_NANO ->
          timestamp(factory, ((Types.TimestampNanoType) type).shouldAdjustToUTC(), NANOS);
      case STRING, UUID, VARIANT -> text(factory);
      case UNKNOWN -> factory.createSqlType(SqlTypeName.NULL);
      case FIXED, BINARY, GEOMETRY, GEOGRAPHY -> factory.createSqlType(SqlTypeName.VARBINARY);
      case DECIMAL -> {
        Types.DecimalType decimal = (Types.DecimalType) type;
        yield factory.createSqlType(SqlTypeName.DECIMAL, decimal.precision(), decimal.scale());
      }
      case STRUCT -> struct(factory, type.asStructType());
      case LIST -> {
        Types.NestedField element = type.asListType().fields().get(0);
        yield factory.createArrayType(
            fromIceberg(factory, element.type(), Nullability.of(element)), -1);
      }
      case MAP -> {
        Types.MapType map = type.asMapType();
        yield factory.createMapType(
            fromIceberg(factory, map.keyType(), Nullability.REQUIRED),
            fromIceberg(
                factory,
                map.valueType(),
                map.isValueOptional() ? Nullability.NULLABLE : Nullability.REQUIRED));
      }
      default ->
          throw new FulmarException(
              ErrorCode.UNSUPPORTED_TABLE, "Iceberg type " + type + " has no SQL type");
    };
  }

  private static RelDataType text(RelDataTypeFactory factory) {
    return factory.createSqlType(SqlTypeName.VARCHAR);
  }

  private static RelDataType timestamp(RelDataTypeFactory factory, boolean utc, int precision) {
    return factory.createSqlType(
        utc ? SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE : SqlTypeName.TIMESTAMP, precision);
  }

  private static RelDataType struct(RelDataTypeFactory factory, Types.StructType struct) {
    List<RelDataType> types = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (Types.NestedField field : struct.fields()) {
      types.add(fromIceberg(factory, field.type(), Nullability.of(field)));
      names.add(field.name());
    }
    return factory.createStructType(StructKind.PEEK_FIELDS_NO_EXPAND, types, names);
  }
}
