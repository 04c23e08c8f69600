package io.fulmar.server.config;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations as settings write them: {@code 500ms}, {@code 30s}, {@code 5m}, {@code 2h}, {@code 1d}.
 */
final class Durations {
  private static final Pattern TEXT = Pattern.compile("(\\d+)\\s*(ms|s|m|h|d)");

  private Durations() {}

  static Duration parse(String text) {
    Matcher matcher = TEXT.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (text.strip().equals("0")) {
      return Duration.ZERO;
    }
    if (!matcher.matches()) {
      throw new IllegalArgumentException("not a duration such as 30s");
    }

    try {
      return ofUnit(Long.parseLong(matcher.group(1)), matcher.group(2));
    } catch (ArithmeticException | NumberFormatException e) {
      throw new IllegalArgumentException("longer than any duration", e);
    }
  }

  static String format(Duration duration) {
    long millis = duration.toMillis();
    if (millis % 1000 != 0) {
      return millis + "ms";
    }
    long seconds = millis / 1000;
    if (seconds % 86_400 == 0 && seconds > 0) {
      return seconds / 86_400 + "d";
    }
    if (seconds % 3_600 == 0 && seconds > 0) {
      return seconds / 3_600 + "h";
    }
    return seconds % 60 == 0 && seconds > 0 ? seconds / 60 + "m" : seconds + "s";
  }

  private static Duration ofUnit(long count, String unit) {
    return switch (unit) {
      case "ms" -> Duration.ofMillis(count);
      case "s" -> Duration.ofSeconds(count);
      case "m" -> Duration.ofMinutes(count);
      case "h" -> Duration.ofHours(count);
      case "d" -> Duration.ofDays(count);
      default -> throw new IllegalArgumentException("unknown unit " + unit);
    };
  }
}
