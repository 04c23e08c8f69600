package io.fulmar.server.config;

import java.util.List;

/** The settings are not usable; the message lists every problem. */
public final class ConfigException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<String> problems;

  ConfigException(List<String> problems) {
    super(describe(problems));
    this.problems = List.copyOf(problems);
  }

  /** Each with where it stands. */
  public List<String> problems() {
    return problems;
  }

  private static String describe(List<String> problems) {
    String title =
        problems.size() == 1
            ? "The settings have a problem:"
            : "The settings have " + problems.size() + " problems:";
    return title + "\n  - " + String.join("\n  - ", problems);
  }
}
