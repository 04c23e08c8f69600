package io.fulmar.server.config;

import java.util.ArrayList;
import java.util.List;

/** Collects what is wrong with the settings, so that all of it is reported at once. */
final class Problems {
  private final List<String> messages = new ArrayList<>();

  void add(String origin, String message) {
    messages.add(origin + ": " + message);
  }

  void throwIfAny() {
    if (!messages.isEmpty()) {
      throw new ConfigException(messages);
    }
  }
}
