package io.fulmar.server.config;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * A key and a value as they were written.
 *
 * @param path the words of the key; one word may hold dots where the file quotes it
 * @param origin where it stands, for problems
 */
record RawSetting(List<String> path, String value, String origin) {
  RawSetting {
    path = List.copyOf(path);
    requireNonNull(value, "value is null");
    requireNonNull(origin, "origin is null");
  }

  String key() {
    return String.join(".", path);
  }

  /** The words after the first {@code count}, joined by dots. */
  String keyAfter(int count) {
    return String.join(".", path.subList(count, path.size()));
  }
}
