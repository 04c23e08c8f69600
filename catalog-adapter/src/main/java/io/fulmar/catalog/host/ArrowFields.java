package io.fulmar.catalog.host;

import io.fulmar.catalog.type.IcebergTypes;
import java.util.List;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/** Arrow fields of Iceberg's fields, in either form; SQL's form is {@link IcebergTypes}. */
public final class ArrowFields {
  private static final int UUID_BYTES = 16;

  private ArrowFields() {}

  /** The Arrow schema of an Iceberg schema. */
  public static Schema schema(org.apache.iceberg.Schema schema, ArrowForm form) {
    return switch (form) {
      case SQL -> IcebergTypes.toArrow(schema);
      case FILE -> new Schema(children(schema.asStruct()));
    };
  }

  /** The nullable Arrow field of one Iceberg type. */
  public static Field field(String name, Type type, ArrowForm form) {
    return switch (form) {
      case SQL -> IcebergTypes.toArrow(name, type);
      case FILE -> inFile(name, type);
    };
  }

  private static Field inFile(String name, Type type) {
    return switch (type.typeId()) {
      case STRUCT -> nullable(name, ArrowType.Struct.INSTANCE, children(type.asStructType()));
      case LIST ->
          nullable(
              name,
              ArrowType.List.INSTANCE,
              List.of(inFile("element", type.asListType().elementType())));
      case MAP -> nullable(name, new ArrowType.Map(false), List.of(entries(type.asMapType())));
      case VARIANT -> nullable(name, ArrowType.Struct.INSTANCE, variantParts());
      case UUID -> nullable(name, new ArrowType.FixedSizeBinary(UUID_BYTES), List.of());
      case FIXED -> nullable(name, fixed((Types.FixedType) type), List.of());
      default -> IcebergTypes.toArrow(name, type);
    };
  }

  private static List<Field> children(Types.StructType type) {
    return type.fields().stream().map(child -> inFile(child.name(), child.type())).toList();
  }

  private static Field entries(Types.MapType type) {
    Field key = inFile("key", type.keyType());
    return new Field(
        "key_value",
        FieldType.notNullable(ArrowType.Struct.INSTANCE),
        List.of(
            new Field("key", FieldType.notNullable(key.getType()), key.getChildren()),
            inFile("value", type.valueType())));
  }

  private static List<Field> variantParts() {
    return List.of(
        nullable("metadata", ArrowType.Binary.INSTANCE, List.of()),
        nullable("value", ArrowType.Binary.INSTANCE, List.of()));
  }

  private static ArrowType fixed(Types.FixedType type) {
    return new ArrowType.FixedSizeBinary(type.length());
  }

  private static Field nullable(String name, ArrowType type, List<Field> children) {
    return new Field(name, FieldType.nullable(type), children);
  }
}
