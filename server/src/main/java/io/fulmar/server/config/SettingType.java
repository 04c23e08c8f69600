package io.fulmar.server.config;

import static java.util.Objects.requireNonNull;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * How values of a setting are written.
 *
 * @param name for people, with its range
 * @param parser throws IllegalArgumentException whose message completes "{@code value} is …"
 * @param formatter gives text that {@code parser} reads back
 */
public record SettingType<T>(
    String name, Function<String, T> parser, Function<T, String> formatter) {
  public SettingType {
    requireNonNull(name, "name is null");
    requireNonNull(parser, "parser is null");
    requireNonNull(formatter, "formatter is null");
  }

  T parse(String text) {
    return parser.apply(text.strip());
  }

  String format(T value) {
    return formatter.apply(value);
  }

  static SettingType<Integer> integer(int min, int max) {
    String name = max == Integer.MAX_VALUE ? "integer ≥ " + min : "integer " + min + "–" + max;
    return new SettingType<>(name, text -> parseInteger(text, min, max), String::valueOf);
  }

  static SettingType<DataSize> size(DataSize min, DataSize max) {
    String name = "size " + min + "–" + max;
    return new SettingType<>(
        name,
        text -> {
          DataSize size = DataSize.parse(text);
          if (size.compareTo(min) < 0 || size.compareTo(max) > 0) {
            throw new IllegalArgumentException("outside " + min + " to " + max);
          }

          return size;
        },
        DataSize::toString);
  }

  static SettingType<DataSize> size(DataSize min) {
    return new SettingType<>(
        "size ≥ " + min, size(min, new DataSize(Long.MAX_VALUE)).parser(), DataSize::toString);
  }

  static SettingType<Duration> duration() {
    return new SettingType<>("duration", Durations::parse, Durations::format);
  }

  static SettingType<Boolean> bool() {
    return new SettingType<>("boolean", SettingType::parseBoolean, String::valueOf);
  }

  static SettingType<String> text() {
    return new SettingType<>("text", SettingType::parseText, Function.identity());
  }

  static SettingType<Path> path() {
    return new SettingType<>("path", SettingType::parsePath, Path::toString);
  }

  static SettingType<ZoneId> zone() {
    return new SettingType<>("time zone", SettingType::parseZone, ZoneId::getId);
  }

  static <E extends Enum<E>> SettingType<E> choice(Class<E> type) {
    String names =
        Arrays.stream(type.getEnumConstants())
            .map(SettingType::choiceName)
            .collect(Collectors.joining(", "));
    return new SettingType<>(
        "one of " + names, text -> parseChoice(type, text, names), SettingType::choiceName);
  }

  private static int parseInteger(String text, int min, int max) {
    try {
      int value = Integer.parseInt(text);
      if (value >= min && value <= max) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("not a whole number", e);
    }
    throw new IllegalArgumentException(
        max == Integer.MAX_VALUE ? "less than " + min : "outside " + min + " to " + max);
  }

  private static boolean parseBoolean(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true", "on", "yes", "1" -> true;
      case "false", "off", "no", "0" -> false;
      default -> throw new IllegalArgumentException("neither true nor false");
    };
  }

  private static String parseText(String text) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException("empty");
    }

    return text;
  }

  private static Path parsePath(String text) {
    try {
      String home = System.getProperty("user.home");
      String expanded = text.startsWith("~/") ? home + text.substring(1) : parseText(text);
      return Path.of(expanded).toAbsolutePath().normalize();
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException("not a path", e);
    }
  }

  private static ZoneId parseZone(String text) {
    try {
      return ZoneId.of(text);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("not a time zone such as Europe/Paris", e);
    }
  }

  private static <E extends Enum<E>> E parseChoice(Class<E> type, String text, String names) {
    return Arrays.stream(type.getEnumConstants())
        .filter(constant -> choiceName(constant).equalsIgnoreCase(text))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("not one of " + names));
  }

  private static String choiceName(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
