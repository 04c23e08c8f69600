package io.fulmar.server.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class SettingsTest {
  /** Changing a default is a decision: it shows here. */
  @Test
  void defaultsArePinned() {
    String defaults =
        Settings.ALL.stream()
            .map(setting -> setting.key() + " = " + setting.defaultText() + "\n")
            .collect(Collectors.joining());

    assertEquals(
        """
        server.host = 127.0.0.1
        server.port = 32010
        server.open-access = false
        server.home = system property `fulmar.home`, else `~/.fulmar`
        server.drain-timeout = 10s
        server.max-message-size = 16MB
        server.max-header-size = 64KB
        engine.threads = number of processors
        engine.io-threads = twice the processors, at least 4
        engine.batch-rows = 8192
        engine.backend = native
        engine.reference-rows = 5000000
        memory.process-limit = 70 % of the machine's memory
        memory.query-limit = a quarter of memory.process-limit, at most 1GB
        spill.directory = `spill` in server.home
        spill.query-limit = 32GB
        spill.process-limit = 64GB
        scan.delete-form = auto
        scan.split-size = 128MB
        scan.pruning = true
        scan.delete-cache = true
        query.max-concurrent = four times the processors
        query.max-queued = 200
        query.queue-timeout = 60s
        query.timeout = 0s
        query.max-text-size = 1MB
        query.history = 1000
        session.time-zone = UTC
        sessions.max = 10000
        sessions.max-per-user = 1000
        sessions.idle-timeout = 12h
        sessions.max-statements = 1000
        sessions.statement-idle-timeout = 1h
        results.batch-size = 2MB
        results.buffer-size = 3MB
        results.slow-reader-timeout = 10m
        results.ticket-timeout = 10m
        results.max-tickets = 1000
        """,
        defaults);
  }

  @Test
  void everyValueIsReadBackFromItsText() {
    SettingValues defaults = SettingValues.defaults();

    Settings.ALL.forEach(setting -> assertReadBack(setting, defaults));
  }

  @Test
  void keysAreUniqueKebabWordsInGroups() {
    Set<String> keys = new HashSet<>();
    for (Setting<?> setting : Settings.ALL) {
      assertTrue(setting.key().matches("[a-z]+\\.[a-z]+(-[a-z]+)*"), setting.key());
      assertTrue(setting.description().endsWith("."), setting.key());
      assertTrue(keys.add(setting.key()), setting.key());
    }
  }

  @Test
  void findsNamesInSqlsSpelling() {
    assertEquals(Settings.MEMORY_QUERY_LIMIT, Settings.find("Memory.Query_Limit").orElseThrow());
    assertTrue(Settings.find("memory.query").isEmpty());
  }

  @Test
  void sessionsCanChangeQuerySettingsOnly() {
    List<String> keys = Settings.ofSession().stream().map(Setting::key).toList();

    assertEquals(
        List.of(
            "engine.threads",
            "engine.batch-rows",
            "engine.backend",
            "memory.query-limit",
            "spill.query-limit",
            "scan.delete-form",
            "scan.split-size",
            "scan.pruning",
            "scan.delete-cache",
            "query.queue-timeout",
            "query.timeout",
            "session.time-zone"),
        keys);
  }

  private static <T> void assertReadBack(Setting<T> setting, SettingValues values) {
    T value = values.value(setting);
    assertEquals(value, setting.type().parse(setting.type().format(value)), setting.key());
  }
}
