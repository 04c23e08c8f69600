package io.fulmar.planner.validate;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.ErrorCode;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One of Calcite's messages, recognised by its template, and how we say it. */
final class KnownMessage {
  /** Stands for the argument of a template that the error names. */
  private static final String NAME = "\u0001";

  /** Stands for other arguments of a template. */
  static final String REST = "\u0002";

  private final ErrorCode code;
  private final Optional<String> format;
  private final Pattern pattern;

  private KnownMessage(ErrorCode code, Optional<String> format, String template) {
    this.code = requireNonNull(code, "code is null");
    this.format = format;
    String regex =
        Pattern.quote(template).replace(NAME, "\\E(?<name>.*?)\\Q").replace(REST, "\\E(.*?)\\Q");
    this.pattern = Pattern.compile(regex, Pattern.DOTALL);
  }

  /**
   * A message that we say in our words.
   *
   * @param format of the named argument
   * @param template makes Calcite's message of a stand-in for the named argument
   */
  static KnownMessage of(ErrorCode code, String format, UnaryOperator<String> template) {
    return new KnownMessage(code, Optional.of(format), template.apply(NAME));
  }

  /** A message that stays as Calcite says it. */
  static KnownMessage verbatim(ErrorCode code, Supplier<String> template) {
    return new KnownMessage(code, Optional.empty(), template.get());
  }

  /**
   * A recognised message.
   *
   * @param name the named argument, or empty
   */
  record Match(ErrorCode code, String message, String name) {}

  Optional<Match> match(String text) {
    Matcher matcher = pattern.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    if (format.isEmpty()) {
      return Optional.of(new Match(code, text, ""));
    }
    String name = matcher.group("name");
    return Optional.of(new Match(code, format.get().formatted(name), name));
  }
}
