package io.fulmar.it.golden;

import java.util.ArrayList;
import java.util.List;

/**
 * An Iceberg type as case.json writes it.
 *
 * @param name without arguments: {@code struct}, {@code list}, {@code map}, {@code decimal}, {@code
 *     long}, …
 * @param arguments children of nested types in order
 * @param names names of a struct's fields
 * @param text the whole type
 */
record GoldenType(String name, List<GoldenType> arguments, List<String> names, String text) {

  static GoldenType parse(String text) {
    int angle = text.indexOf('<');
    if (angle < 0) {
      String name = text.replaceAll("[(\\[].*", "").strip();
      return new GoldenType(name, List.of(), List.of(), text);
    }
    String name = text.substring(0, angle).strip();
    List<GoldenType> arguments = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (String part : split(text.substring(angle + 1, text.lastIndexOf('>')))) {
      if (name.equals("struct")) {
        int colon = part.indexOf(':');
        names.add(part.substring(0, colon).strip());
        arguments.add(parse(part.substring(colon + 1).strip()));
      } else {
        arguments.add(parse(part.strip()));
      }
    }
    return new GoldenType(name, arguments, names, text);
  }

  /** The type's name in pyarrow. */
  String arrowName() {
    return switch (name) {
      case "boolean" -> "bool";
      case "int" -> "int32";
      case "long" -> "int64";
      case "float" -> "float";
      case "double" -> "double";
      case "decimal" -> "decimal128" + text.substring(text.indexOf('(')).replaceAll(",\\s*", ", ");
      case "date" -> "date32[day]";
      case "time" -> "time64[us]";
      case "timestamp" -> "timestamp[us]";
      case "timestamptz" -> "timestamp[us, tz=UTC]";
      case "timestamp_ns" -> "timestamp[ns]";
      case "timestamptz_ns" -> "timestamp[ns, tz=UTC]";
      case "string", "uuid", "variant" -> "string";
      case "fixed", "binary" -> "binary";
      case "unknown" -> "null";
      case "struct" -> struct();
      case "list" -> "list<element: " + arguments.get(0).arrowName() + ">";
      case "map" ->
          "map<" + arguments.get(0).arrowName() + ", " + arguments.get(1).arrowName() + ">";
      default -> throw new IllegalArgumentException("Unknown type in a case: " + text);
    };
  }

  private String struct() {
    List<String> fields = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      fields.add(names.get(i) + ": " + arguments.get(i).arrowName());
    }
    return "struct<" + String.join(", ", fields) + ">";
  }

  private static List<String> split(String text) {
    List<String> parts = new ArrayList<>();
    int depth = 0;
    int start = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '<' || c == '(') {
        depth++;
      } else if (c == '>' || c == ')') {
        depth--;
      } else if (c == ',' && depth == 0) {
        parts.add(text.substring(start, i));
        start = i + 1;
      }
    }
    if (start < text.length()) {
      parts.add(text.substring(start));
    }
    return parts;
  }
}
