package io.fulmar.server.config;

import static java.util.Objects.requireNonNull;

import java.util.function.Function;

/**
 * One setting as data.
 *
 * @param key kebab words in dotted groups
 * @param defaultText the default for people
 * @param defaultValue the default; may ask for settings that stand before this one in {@link
 *     Settings#ALL}
 * @param description what it does, in one sentence
 */
public record Setting<T>(
    String key,
    SettingType<T> type,
    Scope scope,
    String defaultText,
    Function<SettingValues, T> defaultValue,
    String description) {
  public Setting {
    requireNonNull(key, "key is null");
    requireNonNull(type, "type is null");
    requireNonNull(scope, "scope is null");
    requireNonNull(defaultText, "defaultText is null");
    requireNonNull(defaultValue, "defaultValue is null");
    requireNonNull(description, "description is null");
  }

  /** A setting with a constant default, which is written as its values are. */
  static <T> Setting<T> of(
      String key, SettingType<T> type, Scope scope, String defaultText, String description) {
    T value = type.parse(defaultText);
    return new Setting<>(key, type, scope, defaultText, values -> value, description);
  }

  /** Where a setting may be set. */
  public enum Scope {
    /** At start only. */
    SERVER,
    /** At start, and for a session by SET or a session option. */
    SESSION
  }
}
