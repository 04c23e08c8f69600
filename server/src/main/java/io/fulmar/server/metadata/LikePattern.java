package io.fulmar.server.metadata;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A filter of metadata commands: {@code %} any text, {@code _} one character, {@code \} escapes.
 */
public final class LikePattern {
  private static final LikePattern ALL = new LikePattern(Pattern.compile(".*", Pattern.DOTALL));

  private final Pattern regex;

  private LikePattern(Pattern regex) {
    this.regex = requireNonNull(regex, "regex is null");
  }

  /** A pattern's text, or everything where it is absent. */
  public static LikePattern of(Optional<String> pattern) {
    return pattern.map(LikePattern::compile).orElse(ALL);
  }

  public boolean matches(String name) {
    return regex.matcher(name).matches();
  }

  private static LikePattern compile(String pattern) {
    StringBuilder regex = new StringBuilder();
    for (int i = 0; i < pattern.length(); i++) {
      char c = pattern.charAt(i);
      if (c == '\\' && i + 1 < pattern.length()) {
        i++;
        regex.append(Pattern.quote(String.valueOf(pattern.charAt(i))));
      } else if (c == '%') {
        regex.append(".*");
      } else if (c == '_') {
        regex.append('.');
      } else {
        regex.append(Pattern.quote(String.valueOf(c)));
      }
    }
    return new LikePattern(Pattern.compile(regex.toString(), Pattern.DOTALL));
  }
}
