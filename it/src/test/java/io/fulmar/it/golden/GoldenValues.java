package io.fulmar.it.golden;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Brings expected values and those of either client to one text, so that equal text means equal
 * value.
 */
final class GoldenValues {
  private static final ObjectMapper JSON =
      new ObjectMapper().configure(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS, true);
  private static final BigInteger NANOS = BigInteger.valueOf(1_000_000_000L);

  private final TimePrecision timePrecision;

  /** How exactly a client gives times of day: the JDBC driver cuts them to milliseconds. */
  enum TimePrecision {
    MILLIS,
    EXACT
  }

  GoldenValues(TimePrecision timePrecision) {
    this.timePrecision = timePrecision;
  }

  String canonical(GoldenType type, Object value) {
    Object plain = value instanceof JsonNode node ? fromJson(node) : value;
    if (plain == null) {
      return "NULL";
    }
    return switch (type.name()) {
      case "boolean" -> plain.toString();
      case "int", "long" -> new BigDecimal(plain.toString()).toBigIntegerExact().toString();
      case "float" -> Float.toString(Float.parseFloat(number(plain)));
      case "double" -> Double.toString(Double.parseDouble(number(plain)));
      case "decimal" -> new BigDecimal(plain.toString()).toPlainString();
      case "date" -> Long.toString(epochDay(plain));
      case "time" -> Long.toString(timeMicros(plain));
      case "timestamp", "timestamptz" -> epochNanos(plain, 1_000).toString();
      case "timestamp_ns", "timestamptz_ns" -> epochNanos(plain, 1).toString();
      case "string", "uuid" -> "'" + plain + "'";
      case "fixed", "binary" -> binary(plain);
      case "variant" -> variant(plain.toString());
      case "struct" -> struct(type, plain);
      case "list" -> list(type.arguments().get(0), plain);
      case "map" -> map(type, plain);
      default -> throw new IllegalArgumentException("No values of type " + type.text());
    };
  }

  private String struct(GoldenType type, Object value) {
    Map<String, Object> fields = new TreeMap<>();
    if (value instanceof Map<?, ?> map) {
      map.forEach((name, field) -> fields.put(name.toString(), field));
    } else {
      for (Object pair : (List<?>) value) {
        List<?> entry = (List<?>) pair;
        fields.put(entry.get(0).toString(), entry.get(1));
      }
    }
    StringBuilder text = new StringBuilder("{");
    for (int i = 0; i < type.names().size(); i++) {
      String name = type.names().get(i);
      text.append(name)
          .append(':')
          .append(canonical(type.arguments().get(i), fields.get(name)))
          .append(',');
    }
    return text.append('}').toString();
  }

  private String list(GoldenType element, Object value) {
    List<String> items = new ArrayList<>();
    for (Object item : (List<?>) value) {
      items.add(canonical(element, item));
    }
    return items.toString();
  }

  private String map(GoldenType type, Object value) {
    List<String> entries = new ArrayList<>();
    if (value instanceof Map<?, ?> map) {
      map.forEach((key, item) -> entries.add(entry(type, key, item)));
    } else {
      for (Object entry : (List<?>) value) {
        if (entry instanceof Map<?, ?> pair) {
          entries.add(entry(type, pair.get("key"), pair.get("value")));
        } else {
          entries.add(entry(type, ((List<?>) entry).get(0), ((List<?>) entry).get(1)));
        }
      }
    }
    Collections.sort(entries);
    return entries.toString();
  }

  private String entry(GoldenType type, Object key, Object value) {
    return canonical(type.arguments().get(0), key)
        + "="
        + canonical(type.arguments().get(1), value);
  }

  private static String number(Object value) {
    return switch (value.toString()) {
      case "inf" -> "Infinity";
      case "-inf" -> "-Infinity";
      case "nan" -> "NaN";
      default -> value.toString();
    };
  }

  private static long epochDay(Object value) {
    return value instanceof Number number
        ? number.longValue()
        : LocalDate.parse(value.toString()).toEpochDay();
  }

  private long timeMicros(Object value) {
    long micros =
        value instanceof Number number
            ? number.longValue()
            : LocalTime.parse(value.toString()).toNanoOfDay() / 1_000;
    return timePrecision == TimePrecision.MILLIS ? micros / 1_000 * 1_000 : micros;
  }

  private static BigInteger epochNanos(Object value, long nanosPerUnit) {
    if (value instanceof Number number) {
      return BigInteger.valueOf(number.longValue()).multiply(BigInteger.valueOf(nanosPerUnit));
    }
    String text = value.toString().strip().replace(' ', 'T').replaceAll("(Z|\\+00:?00|TUTC)$", "");
    Instant instant = LocalDateTime.parse(text).toInstant(ZoneOffset.UTC);
    return BigInteger.valueOf(instant.getEpochSecond())
        .multiply(NANOS)
        .add(BigInteger.valueOf(instant.getNano()));
  }

  private static String binary(Object value) {
    return value instanceof byte[] bytes
        ? "0x" + HexFormat.of().formatHex(bytes)
        : value.toString();
  }

  private static String variant(String text) {
    try {
      return JSON.writeValueAsString(JSON.treeToValue(JSON.readTree(text), Object.class));
    } catch (JsonProcessingException e) {
      return "not JSON: " + text;
    }
  }

  private static Object fromJson(JsonNode node) {
    if (node.isNull()) {
      return null;
    }
    if (node.isTextual()) {
      return node.textValue();
    }
    if (node.isBoolean()) {
      return node.booleanValue();
    }
    if (node.isNumber()) {
      return node.isIntegralNumber() ? node.bigIntegerValue() : node.numberValue();
    }
    if (node.isArray()) {
      List<Object> items = new ArrayList<>();
      node.forEach(item -> items.add(fromJson(item)));
      return items;
    }
    Map<String, Object> fields = new TreeMap<>();
    node.properties().forEach(field -> fields.put(field.getKey(), fromJson(field.getValue())));
    return fields;
  }
}
