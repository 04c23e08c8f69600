package io.fulmar.catalog.type;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;

final class IcebergTypesTest {
  @Test
  void everyTypeHasItsArrowType() {
    Map<Type, String> expected =
        Map.ofEntries(
            Map.entry(Types.BooleanType.get(), "Bool"),
            Map.entry(Types.IntegerType.get(), "Int(32, true)"),
            Map.entry(Types.LongType.get(), "Int(64, true)"),
            Map.entry(Types.FloatType.get(), "FloatingPoint(SINGLE)"),
            Map.entry(Types.DoubleType.get(), "FloatingPoint(DOUBLE)"),
            Map.entry(Types.DecimalType.of(38, 10), "Decimal(38, 10, 128)"),
            Map.entry(Types.DateType.get(), "Date(DAY)"),
            Map.entry(Types.TimeType.get(), "Time(MICROSECOND, 64)"),
            Map.entry(Types.TimestampType.withoutZone(), "Timestamp(MICROSECOND, null)"),
            Map.entry(Types.TimestampType.withZone(), "Timestamp(MICROSECOND, UTC)"),
            Map.entry(Types.TimestampNanoType.withoutZone(), "Timestamp(NANOSECOND, null)"),
            Map.entry(Types.TimestampNanoType.withZone(), "Timestamp(NANOSECOND, UTC)"),
            Map.entry(Types.StringType.get(), "Utf8"),
            Map.entry(Types.UUIDType.get(), "Utf8"),
            Map.entry(Types.FixedType.ofLength(3), "Binary"),
            Map.entry(Types.BinaryType.get(), "Binary"),
            Map.entry(Types.VariantType.get(), "Utf8"),
            Map.entry(Types.GeometryType.crs84(), "Binary"),
            Map.entry(Types.GeographyType.crs84(), "Binary"),
            Map.entry(Types.UnknownType.get(), "Null"));
    expected.forEach(
        (type, arrow) -> {
          Field field = IcebergTypes.toArrow("c", type);
          assertEquals(arrow, field.getType().toString(), type.toString());
          assertTrue(field.isNullable());
        });
  }

  @Test
  void nestedTypesAreNullableWhereArrowAllows() {
    Type type =
        Types.StructType.of(
            Types.NestedField.required(1, "l", Types.ListType.ofRequired(2, Types.LongType.get())),
            Types.NestedField.required(
                3,
                "m",
                Types.MapType.ofRequired(4, 5, Types.StringType.get(), Types.DateType.get())));
    Field struct = IcebergTypes.toArrow("s", type);
    Field list = struct.getChildren().get(0);
    assertEquals("element", list.getChildren().get(0).getName());
    assertTrue(list.isNullable() && list.getChildren().get(0).isNullable());

    Field entries = struct.getChildren().get(1).getChildren().get(0);
    assertEquals("key_value", entries.getName());
    assertFalse(entries.isNullable());
    assertFalse(entries.getChildren().get(0).isNullable());
    assertTrue(entries.getChildren().get(1).isNullable());
  }
}
