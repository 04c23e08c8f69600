package io.fulmar.server.statement;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.registry.CatalogRegistry;
import io.fulmar.catalog.registry.IcebergCatalog;
import io.fulmar.server.config.DataSize;
import io.fulmar.server.config.ServerConfig;
import io.fulmar.server.config.Setting;
import io.fulmar.server.config.SettingType;
import io.fulmar.server.config.SettingValues;
import io.fulmar.server.config.Settings;
import io.fulmar.server.config.Suggestions;
import io.fulmar.server.session.Session;
import io.fulmar.server.session.SessionState;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.iceberg.catalog.Namespace;

/**
 * What a session can change: {@code catalog}, {@code schema}, and each setting of scope session.
 */
public final class SessionOptions {
  private static final String CATALOG = "catalog";
  private static final String SCHEMA = "schema";

  private final CatalogRegistry catalogs;
  private final ServerConfig config;

  public SessionOptions(CatalogRegistry catalogs, ServerConfig config) {
    this.catalogs = requireNonNull(catalogs, "catalogs is null");
    this.config = requireNonNull(config, "config is null");
  }

  /**
   * Sets an option.
   *
   * @throws FulmarException UNKNOWN_SETTING, INVALID_SETTING, UNKNOWN_CATALOG or UNKNOWN_SCHEMA
   */
  public void set(Session session, String name, String value) {
    switch (name.toLowerCase(Locale.ROOT)) {
      case CATALOG -> useCatalog(session, value);
      case SCHEMA -> useSchema(session, value);
      default -> set(session, require(name), value);
    }
  }

  /**
   * Gives an option its default again.
   *
   * @throws FulmarException UNKNOWN_SETTING
   */
  public void reset(Session session, String name) {
    switch (name.toLowerCase(Locale.ROOT)) {
      case CATALOG ->
          session.update(state -> state.withNamespace(Optional.empty(), Optional.empty()));
      case SCHEMA ->
          session.update(state -> state.withNamespace(state.catalog(), Optional.empty()));
      default -> {
        Setting<?> setting = require(name);
        session.update(state -> state.without(setting));
      }
    }
  }

  /** Every option with its value as text; catalog and schema where there are ones. */
  public Map<String, String> all(SessionState state) {
    SettingValues values = config.values().with(state.overrides());
    Map<String, String> options = new TreeMap<>();
    Settings.ofSession().forEach(setting -> options.put(setting.key(), values.text(setting)));
    catalogOf(state).ifPresent(catalog -> options.put(CATALOG, catalog));
    state.schema().ifPresent(schema -> options.put(SCHEMA, schema));
    return options;
  }

  /** The session's catalog, else the first that is configured. */
  public Optional<String> catalogOf(SessionState state) {
    return state.catalog().or(() -> catalogs.names().stream().findFirst());
  }

  private <T> void set(Session session, Setting<T> setting, String text) {
    T value = parse(setting.key(), setting.type(), text);
    if (setting.equals(Settings.MEMORY_QUERY_LIMIT)) {
      checkQueryLimit((DataSize) value);
    }
    session.update(state -> state.with(setting, value));
  }

  private static <T> T parse(String key, SettingType<T> type, String text) {
    try {
      return type.parser().apply(text.strip());
    } catch (IllegalArgumentException e) {
      throw new FulmarException(
              ErrorCode.INVALID_SETTING,
              "%s is '%s', which is %s".formatted(key, text, e.getMessage()))
          .withHint("Expected: " + type.name() + ".");
    }
  }

  private void checkQueryLimit(DataSize limit) {
    DataSize engine = config.memory().engine();
    if (limit.compareTo(engine) > 0) {
      throw new FulmarException(
              ErrorCode.INVALID_SETTING,
              "memory.query-limit is %s, all statements together have %d MB"
                  .formatted(limit, engine.bytes() >> 20))
          .withHint("Raise memory.process-limit at the next start.");
    }
  }

  private void useCatalog(Session session, String name) {
    IcebergCatalog catalog = catalogs.require(name);
    session.update(
        state ->
            state.catalog().filter(catalog.name()::equals).isPresent()
                ? state
                : state.withNamespace(Optional.of(catalog.name()), Optional.empty()));
  }

  private void useSchema(Session session, String name) {
    String catalogName =
        catalogOf(session.state())
            .orElseThrow(
                () -> new FulmarException(ErrorCode.UNKNOWN_CATALOG, "No catalog is configured"));
    IcebergCatalog catalog = catalogs.require(catalogName);
    Namespace namespace =
        catalog
            .findNamespaceIgnoringCase(Namespace.of(name.split("\\.", -1)))
            .orElseThrow(
                () ->
                    new FulmarException(
                        ErrorCode.UNKNOWN_SCHEMA,
                        "Catalog %s has no schema %s".formatted(catalog.name(), name)));
    session.update(
        state ->
            state.withNamespace(Optional.of(catalog.name()), Optional.of(namespace.toString())));
  }

  private static Setting<?> require(String name) {
    Optional<Setting<?>> setting =
        Settings.find(name).filter(found -> found.scope() == Setting.Scope.SESSION);
    return setting.orElseThrow(() -> unknown(name));
  }

  private static FulmarException unknown(String name) {
    if (Settings.find(name).isPresent()) {
      return new FulmarException(
              ErrorCode.UNKNOWN_SETTING, name + " cannot be changed for a session")
          .withHint("Set it at the server's start.");
    }

    List<String> known = new ArrayList<>(List.of(CATALOG, SCHEMA));
    Settings.ofSession().forEach(setting -> known.add(setting.key()));
    FulmarException error =
        new FulmarException(ErrorCode.UNKNOWN_SETTING, "No setting " + name + " exists");
    return Suggestions.closest(name, known)
        .map(found -> error.withHint("Did you mean " + found + "?"))
        .orElse(error);
  }
}
