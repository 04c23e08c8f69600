package io.fulmar.reference.read;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.host.HostRow;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.variants.Variant;
import org.apache.iceberg.variants.VariantArray;
import org.apache.iceberg.variants.VariantObject;
import org.apache.iceberg.variants.VariantValue;

/** Variants as JSON text, at every depth of a type. */
final class VariantText {
  private static final JsonFactory JSON = new JsonFactory();

  private VariantText() {}

  /** The type with text in place of variants. */
  static Type shown(Type type) {
    return switch (type.typeId()) {
      case VARIANT -> Types.StringType.get();
      case STRUCT ->
          Types.StructType.of(
              type.asStructType().fields().stream()
                  .map(field -> Types.NestedField.from(field).ofType(shown(field.type())))
                  .map(builder -> builder.withInitialDefault(null).withWriteDefault(null).build())
                  .toList());
      case LIST ->
          Types.ListType.ofOptional(
              type.asListType().elementId(), shown(type.asListType().elementType()));
      case MAP ->
          Types.MapType.ofOptional(
              type.asMapType().keyId(),
              type.asMapType().valueId(),
              shown(type.asMapType().keyType()),
              shown(type.asMapType().valueType()));
      default -> type;
    };
  }

  /** The value with text in place of variants. */
  static Object shown(Type type, Object value) {
    if (value == null) {
      return null;
    }
    return switch (type.typeId()) {
      case VARIANT -> text((Variant) value);
      case STRUCT -> struct(type.asStructType(), (HostRow) value);
      case LIST -> {
        List<Object> elements = new ArrayList<>();
        ((List<?>) value).forEach(e -> elements.add(shown(type.asListType().elementType(), e)));
        yield elements;
      }
      case MAP -> {
        Map<Object, Object> entries = new LinkedHashMap<>();
        ((Map<?, ?>) value)
            .forEach((k, v) -> entries.put(k, shown(type.asMapType().valueType(), v)));
        yield entries;
      }
      default -> value;
    };
  }

  private static HostRow struct(Types.StructType type, HostRow row) {
    Object[] values = new Object[row.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = shown(type.fields().get(i).type(), row.get(i, Object.class));
    }
    return HostRow.of(values);
  }

  private static String text(Variant variant) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      write(variant.value(), json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  private static void write(VariantValue value, JsonGenerator json) throws IOException {
    switch (value.type()) {
      case OBJECT -> {
        VariantObject object = value.asObject();
        json.writeStartObject();
        for (String name : object.fieldNames()) {
          json.writeFieldName(name);
          write(object.get(name), json);
        }
        json.writeEndObject();
      }
      case ARRAY -> {
        VariantArray array = value.asArray();
        json.writeStartArray();
        for (int i = 0; i < array.numElements(); i++) {
          write(array.get(i), json);
        }
        json.writeEndArray();
      }
      case NULL -> json.writeNull();
      case BOOLEAN_TRUE -> json.writeBoolean(true);
      case BOOLEAN_FALSE -> json.writeBoolean(false);
      case INT8, INT16, INT32, INT64 ->
          json.writeNumber(((Number) value.asPrimitive().get()).longValue());
      case DECIMAL4, DECIMAL8, DECIMAL16 ->
          json.writeNumber(((BigDecimal) value.asPrimitive().get()).toPlainString());
      case STRING -> json.writeString(value.asPrimitive().get().toString());
      default ->
          throw new FulmarException(
              ErrorCode.UNSUPPORTED_TABLE,
              "The reference backend cannot show a variant of the type " + value.type());
    }
  }
}
