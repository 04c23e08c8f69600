package io.fulmar.server.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads a settings file and {@code key=value} pairs, which win over the file. */
public final class ConfigLoader {
  private final Problems problems = new Problems();
  private final Map<Setting<?>, Object> given = new HashMap<>();
  private final Map<Setting<?>, String> origins = new HashMap<>();
  private final CatalogReader catalogs = new CatalogReader(problems);

  private ConfigLoader() {}

  /**
   * Loads and checks.
   *
   * @param assignments {@code key=value}, as {@code --set} takes them
   * @throws ConfigException with every problem of the file and the pairs
   */
  public static ServerConfig load(Optional<Path> file, List<String> assignments) {
    ConfigLoader loader = new ConfigLoader();
    List<RawSetting> raw = new ArrayList<>();
    file.ifPresent(path -> raw.addAll(YamlReader.read(path, loader.problems)));
    assignments.forEach(assignment -> loader.split(assignment).ifPresent(raw::add));
    raw.forEach(loader::take);
    return loader.finish();
  }

  private Optional<RawSetting> split(String assignment) {
    String origin = "--set " + assignment;
    int equals = assignment.indexOf('=');
    if (equals < 1) {
      problems.add(origin, "expected key=value");
      return Optional.empty();
    }

    List<String> path = Arrays.asList(assignment.substring(0, equals).strip().split("\\.", -1));
    return Optional.of(new RawSetting(path, assignment.substring(equals + 1).strip(), origin));
  }

  private void take(RawSetting raw) {
    if (raw.path().get(0).equals(CatalogReader.GROUP)) {
      catalogs.add(raw);
      return;
    }

    Optional<Setting<?>> setting = Settings.find(raw.key());
    if (setting.isEmpty()) {
      List<String> keys = Settings.ALL.stream().map(Setting::key).toList();
      String hint = Suggestions.didYouMean(raw.key(), keys);
      problems.add(raw.origin(), "Unknown setting " + raw.key() + hint);
      return;
    }

    parse(setting.get(), raw);
  }

  private void parse(Setting<?> setting, RawSetting raw) {
    try {
      given.put(setting, setting.type().parse(raw.value()));
      origins.put(setting, raw.origin());
    } catch (IllegalArgumentException e) {
      problems.add(
          raw.origin(),
          "%s is '%s', which is %s".formatted(setting.key(), raw.value(), e.getMessage()));
    }
  }

  private ServerConfig finish() {
    SettingValues values = SettingValues.withDefaults(given);
    ServerConfig config =
        new ServerConfig(
            values,
            catalogs.catalogs(values.value(Settings.SERVER_HOME)),
            MemoryBudget.of(values, problems));
    checkQueryLimit(config);
    checkAccess(values);
    problems.throwIfAny();
    return config;
  }

  private void checkQueryLimit(ServerConfig config) {
    DataSize limit = config.values().value(Settings.MEMORY_QUERY_LIMIT);
    DataSize engine = config.memory().engine();
    if (limit.compareTo(engine) > 0) {
      problems.add(
          origin(Settings.MEMORY_QUERY_LIMIT),
          "memory.query-limit is %s, more than the engine's share of %d MB: %s"
              .formatted(limit, engine.bytes() >> 20, config.memory().describe()));
    }
  }

  private void checkAccess(SettingValues values) {
    String host = values.value(Settings.SERVER_HOST);
    try {
      boolean loopback = InetAddress.getByName(host).isLoopbackAddress();
      if (!loopback && !values.value(Settings.SERVER_OPEN_ACCESS)) {
        problems.add(
            origin(Settings.SERVER_HOST),
            "server.host is %s: whoever reaches it could read every table under any user name."
                    .formatted(host)
                + " Set server.open-access=true if the network keeps others out");
      }
    } catch (UnknownHostException e) {
      problems.add(origin(Settings.SERVER_HOST), "server.host is '" + host + "', which is unknown");
    }
  }

  private String origin(Setting<?> setting) {
    return origins.getOrDefault(setting, "default of " + setting.key());
  }
}
