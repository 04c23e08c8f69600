package io.fulmar.server.metadata;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.flight.sql.FlightSqlColumnMetadata;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/** Adds what drivers show of a column (type name, precision, scale, …) to Arrow fields. */
public final class ColumnMetadata {
  private ColumnMetadata() {}

  /** A result schema: names, types and order stay. */
  public static Schema describeResult(Schema schema) {
    List<Field> fields =
        schema.getFields().stream()
            .map(field -> with(field, common(field.getType()).isReadOnly(true)))
            .toList();
    return new Schema(fields, schema.getCustomMetadata());
  }

  /**
   * A column of a table, for GetTables.
   *
   * @param comment becomes REMARKS; on a result column a driver would show it as the label
   */
  static Field describeColumn(
      Field field, String catalog, String schema, String table, Optional<String> comment) {
    FlightSqlColumnMetadata.Builder builder =
        common(field.getType())
            .isReadOnly(false)
            .catalogName(catalog)
            .schemaName(schema)
            .tableName(table);
    comment.ifPresent(builder::remarks);
    return with(field, builder);
  }

  private static FlightSqlColumnMetadata.Builder common(ArrowType type) {
    SqlTypeNames names = SqlTypeNames.of(type);
    return new FlightSqlColumnMetadata.Builder()
        .typeName(names.name())
        .precision(names.precision())
        .scale(names.scale())
        .isAutoIncrement(false)
        .isCaseSensitive(type.getTypeID() == ArrowType.ArrowTypeID.Utf8)
        .isSearchable(true);
  }

  private static Field with(Field field, FlightSqlColumnMetadata.Builder builder) {
    Map<String, String> metadata = new HashMap<>(field.getMetadata());
    metadata.putAll(builder.build().getMetadataMap());
    FieldType type =
        new FieldType(field.isNullable(), field.getType(), field.getDictionary(), metadata);
    return new Field(field.getName(), type, field.getChildren());
  }
}
