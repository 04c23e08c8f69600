package io.fulmar.planner.statement;

import java.util.stream.Collectors;
import org.apache.calcite.rel.type.RelDataType;

/** SQL types as people write them. */
final class TypeNames {
  private TypeNames() {}

  static String of(RelDataType type) {
    return switch (type.getSqlTypeName()) {
      case DECIMAL -> "DECIMAL(" + type.getPrecision() + ", " + type.getScale() + ")";
      case TIME, TIMESTAMP -> type.getSqlTypeName() + "(" + type.getPrecision() + ")";
      case TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
          "TIMESTAMP(" + type.getPrecision() + ") WITH LOCAL TIME ZONE";
      case CHAR, VARCHAR -> "VARCHAR";
      case BINARY, VARBINARY -> "VARBINARY";
      case ARRAY -> of(type.getComponentType()) + " ARRAY";
      case MAP -> "MAP<" + of(type.getKeyType()) + ", " + of(type.getValueType()) + ">";
      case ROW ->
          type.getFieldList().stream()
              .map(field -> "\"" + field.getName() + "\" " + of(field.getType()))
              .collect(Collectors.joining(", ", "ROW(", ")"));
      default -> type.getSqlTypeName().getSpaceName();
    };
  }
}
