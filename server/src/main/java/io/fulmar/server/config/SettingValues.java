package io.fulmar.server.config;

import static java.util.Objects.requireNonNull;

import java.util.HashMap;
import java.util.Map;

/** A value for every setting, immutable. */
public final class SettingValues {
  private final Map<Setting<?>, Object> values;

  private SettingValues(Map<Setting<?>, Object> values) {
    this.values = values;
  }

  /** The given values, and the default for every other setting. */
  static SettingValues withDefaults(Map<Setting<?>, Object> given) {
    SettingValues all = new SettingValues(new HashMap<>(given));
    for (Setting<?> setting : Settings.ALL) {
      if (!all.values.containsKey(setting)) {
        all.values.put(setting, setting.defaultValue().apply(all));
      }
    }
    return new SettingValues(Map.copyOf(all.values));
  }

  public static SettingValues defaults() {
    return withDefaults(Map.of());
  }

  public <T> T value(Setting<T> setting) {
    @SuppressWarnings("unchecked")
    T value = (T) requireNonNull(values.get(setting), setting.key());
    return value;
  }

  /** The value as text. */
  public <T> String text(Setting<T> setting) {
    return setting.type().format(value(setting));
  }

  /** These values with other ones for the keys of {@code overrides}. */
  public SettingValues with(Map<Setting<?>, Object> overrides) {
    Map<Setting<?>, Object> merged = new HashMap<>(values);
    merged.putAll(overrides);
    return new SettingValues(Map.copyOf(merged));
  }
}
