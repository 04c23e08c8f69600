package io.fulmar.server.session;

import static java.util.Objects.requireNonNull;

import io.fulmar.server.config.Setting;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What statements of a session see, immutable.
 *
 * @param catalog set by USE or a session option
 * @param schema as it is written in SQL
 * @param overrides settings that SET changed
 */
public record SessionState(
    Optional<String> catalog, Optional<String> schema, Map<Setting<?>, Object> overrides) {
  private static final SessionState INITIAL =
      new SessionState(Optional.empty(), Optional.empty(), Map.of());

  public SessionState {
    requireNonNull(catalog, "catalog is null");
    requireNonNull(schema, "schema is null");
    overrides = Map.copyOf(overrides);
  }

  /** Of a session that nothing was changed in, and of a call without a session. */
  public static SessionState initial() {
    return INITIAL;
  }

  public SessionState withNamespace(Optional<String> newCatalog, Optional<String> newSchema) {
    return new SessionState(newCatalog, newSchema, overrides);
  }

  public <T> SessionState with(Setting<T> setting, T value) {
    Map<Setting<?>, Object> changed = new HashMap<>(overrides);
    changed.put(setting, value);
    return new SessionState(catalog, schema, changed);
  }

  public SessionState without(Setting<?> setting) {
    Map<Setting<?>, Object> changed = new HashMap<>(overrides);
    changed.remove(setting);
    return new SessionState(catalog, schema, changed);
  }
}
