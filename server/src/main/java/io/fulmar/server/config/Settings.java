package io.fulmar.server.config;

import static io.fulmar.server.config.Setting.Scope.SERVER;
import static io.fulmar.server.config.Setting.Scope.SESSION;

import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Every setting, in the order of the reference page. Catalogs stand apart: see {@link
 * CatalogReader}.
 */
public final class Settings {
  private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();
  private static final SettingType<Integer> COUNT = SettingType.integer(1, Integer.MAX_VALUE);
  private static final SettingType<DataSize> MEMORY = SettingType.size(DataSize.ofMegabytes(1));

  public static final Setting<String> SERVER_HOST =
      Setting.of(
          "server.host",
          SettingType.text(),
          SERVER,
          "127.0.0.1",
          "Address to listen on; loopback unless told otherwise.");
  public static final Setting<Integer> SERVER_PORT =
      Setting.of(
          "server.port",
          SettingType.integer(0, 65_535),
          SERVER,
          "32010",
          "Port of the Flight SQL endpoint; 0 takes any free one.");
  public static final Setting<Boolean> SERVER_OPEN_ACCESS =
      Setting.of(
          "server.open-access",
          SettingType.bool(),
          SERVER,
          "false",
          "Whether to serve beyond loopback although every user name is accepted.");
  public static final Setting<Path> SERVER_HOME =
      new Setting<>(
          "server.home",
          SettingType.path(),
          SERVER,
          "system property `fulmar.home`, else `~/.fulmar`",
          values -> Machine.home(),
          "Folder of the embedded catalog, its warehouse and spill files.");
  public static final Setting<Duration> SERVER_DRAIN_TIMEOUT =
      Setting.of(
          "server.drain-timeout",
          SettingType.duration(),
          SERVER,
          "10s",
          "How long running statements may go on after the server was told to stop.");
  public static final Setting<DataSize> SERVER_MAX_MESSAGE_SIZE =
      Setting.of(
          "server.max-message-size",
          SettingType.size(DataSize.ofMegabytes(1), DataSize.ofGigabytes(1)),
          SERVER,
          "16MB",
          "Largest message accepted from a client.");
  public static final Setting<DataSize> SERVER_MAX_HEADER_SIZE =
      Setting.of(
          "server.max-header-size",
          SettingType.size(new DataSize(8 << 10), DataSize.ofMegabytes(1)),
          SERVER,
          "64KB",
          "Largest list of headers accepted from a client.");

  public static final Setting<Integer> ENGINE_THREADS =
      new Setting<>(
          "engine.threads",
          SettingType.integer(1, 1024),
          SESSION,
          "number of processors",
          values -> PROCESSORS,
          "Threads that decode and compute; for a session: partitions of its statements.");
  public static final Setting<Integer> ENGINE_IO_THREADS =
      new Setting<>(
          "engine.io-threads",
          SettingType.integer(1, 1024),
          SERVER,
          "twice the processors, at least 4",
          values -> Math.max(4, 2 * PROCESSORS),
          "Threads that wait for storage.");
  public static final Setting<Integer> ENGINE_BATCH_ROWS =
      Setting.of(
          "engine.batch-rows",
          SettingType.integer(64, 1 << 20),
          SESSION,
          "8192",
          "Rows of a batch inside the engine.");

  public static final Setting<Backend> ENGINE_BACKEND =
      Setting.of(
          "engine.backend",
          SettingType.choice(Backend.class),
          SESSION,
          "native",
          "What runs statements: the native engine, or the slow reference backend in Java alone.");
  public static final Setting<Integer> ENGINE_REFERENCE_ROWS =
      Setting.of(
          "engine.reference-rows",
          COUNT,
          SERVER,
          "5000000",
          "Rows that a statement of the reference backend may hold in memory.");

  public static final Setting<DataSize> MEMORY_PROCESS_LIMIT =
      new Setting<>(
          "memory.process-limit",
          SettingType.size(DataSize.ofMegabytes(256)),
          SERVER,
          "70 % of the machine's memory",
          values -> new DataSize(Machine.memoryBytes() / 10 * 7),
          "Bound of the whole process: JVM heap, direct memory and the engine together.");
  public static final Setting<DataSize> MEMORY_QUERY_LIMIT =
      new Setting<>(
          "memory.query-limit",
          MEMORY,
          SESSION,
          "a quarter of memory.process-limit, at most 1GB",
          values -> least(values.value(MEMORY_PROCESS_LIMIT).bytes() / 4, DataSize.ofGigabytes(1)),
          "What the operators of one statement may reserve before they spill.");

  public static final Setting<Path> SPILL_DIRECTORY =
      new Setting<>(
          "spill.directory",
          SettingType.path(),
          SERVER,
          "`spill` in server.home",
          values -> values.value(SERVER_HOME).resolve("spill"),
          "Folder of temporary files; stale ones are removed at start.");
  public static final Setting<DataSize> SPILL_QUERY_LIMIT =
      Setting.of(
          "spill.query-limit",
          SettingType.size(new DataSize(0)),
          SESSION,
          "32GB",
          "Disk space that one statement may spill to.");
  public static final Setting<DataSize> SPILL_PROCESS_LIMIT =
      Setting.of(
          "spill.process-limit",
          SettingType.size(new DataSize(0)),
          SERVER,
          "64GB",
          "Disk space that all statements together may spill to.");

  public static final Setting<DeleteForm> SCAN_DELETE_FORM =
      Setting.of(
          "scan.delete-form",
          SettingType.choice(DeleteForm.class),
          SESSION,
          "auto",
          "How equality deletes are applied: a key set in memory, a spilling merge, or by size.");
  public static final Setting<DataSize> SCAN_SPLIT_SIZE =
      Setting.of(
          "scan.split-size",
          SettingType.size(new DataSize(1024)),
          SESSION,
          "128MB",
          "Data files are read in pieces of about this size.");
  public static final Setting<Boolean> SCAN_PRUNING =
      Setting.of(
          "scan.pruning",
          SettingType.bool(),
          SESSION,
          "true",
          "Whether partitions and statistics may skip files, row groups and pages.");
  public static final Setting<Boolean> SCAN_DELETE_CACHE =
      Setting.of(
          "scan.delete-cache",
          SettingType.bool(),
          SESSION,
          "true",
          "Whether loaded delete files are kept for later statements.");

  public static final Setting<Integer> QUERY_MAX_CONCURRENT =
      new Setting<>(
          "query.max-concurrent",
          COUNT,
          SERVER,
          "four times the processors",
          values -> 4 * PROCESSORS,
          "Statements that run at once; others wait in turn.");
  public static final Setting<Integer> QUERY_MAX_QUEUED =
      Setting.of(
          "query.max-queued",
          SettingType.integer(0, Integer.MAX_VALUE),
          SERVER,
          "200",
          "Statements that may wait.");
  public static final Setting<Duration> QUERY_QUEUE_TIMEOUT =
      Setting.of(
          "query.queue-timeout",
          SettingType.duration(),
          SESSION,
          "60s",
          "How long a statement waits for its turn.");
  public static final Setting<Duration> QUERY_TIMEOUT =
      Setting.of(
          "query.timeout",
          SettingType.duration(),
          SESSION,
          "0s",
          "How long a statement may run; 0 means without a limit.");
  public static final Setting<DataSize> QUERY_MAX_TEXT_SIZE =
      Setting.of(
          "query.max-text-size",
          SettingType.size(new DataSize(1024)),
          SERVER,
          "1MB",
          "Longest statement text.");
  public static final Setting<Integer> QUERY_HISTORY =
      Setting.of(
          "query.history",
          SettingType.integer(0, 1_000_000),
          SERVER,
          "1000",
          "Finished statements that system.runtime.queries still shows.");

  public static final Setting<ZoneId> SESSION_TIME_ZONE =
      Setting.of(
          "session.time-zone",
          SettingType.zone(),
          SESSION,
          "UTC",
          "Zone of CURRENT_DATE, CURRENT_TIMESTAMP and casts between local times and instants.");
  public static final Setting<Integer> SESSIONS_MAX =
      Setting.of("sessions.max", COUNT, SERVER, "10000", "Sessions that may be open.");
  public static final Setting<Integer> SESSIONS_MAX_PER_USER =
      Setting.of(
          "sessions.max-per-user",
          COUNT,
          SERVER,
          "1000",
          "Sessions that one user may have open; a new one ends the longest idle.");
  public static final Setting<Duration> SESSIONS_IDLE_TIMEOUT =
      Setting.of(
          "sessions.idle-timeout",
          SettingType.duration(),
          SERVER,
          "12h",
          "A session ends this long after its last call.");
  public static final Setting<Integer> SESSIONS_MAX_STATEMENTS =
      Setting.of(
          "sessions.max-statements",
          COUNT,
          SERVER,
          "1000",
          "Prepared statements that a session may hold.");
  public static final Setting<Duration> SESSIONS_STATEMENT_IDLE_TIMEOUT =
      Setting.of(
          "sessions.statement-idle-timeout",
          SettingType.duration(),
          SERVER,
          "1h",
          "A prepared statement ends this long after its last use.");

  public static final Setting<DataSize> RESULTS_BATCH_SIZE =
      Setting.of(
          "results.batch-size",
          SettingType.size(new DataSize(64 << 10), new DataSize(3584 << 10)),
          SERVER,
          "2MB",
          "Results are sent in batches of at most this size; one larger row is sent alone.");
  public static final Setting<DataSize> RESULTS_BUFFER_SIZE =
      Setting.of(
          "results.buffer-size",
          SettingType.size(new DataSize(256 << 10), DataSize.ofMegabytes(64)),
          SERVER,
          "3MB",
          "What may wait in a stream's send buffer before the statement pauses.");
  public static final Setting<Duration> RESULTS_SLOW_READER_TIMEOUT =
      Setting.of(
          "results.slow-reader-timeout",
          SettingType.duration(),
          SERVER,
          "10m",
          "A stream whose client takes nothing for this long fails; 0 means never.");
  public static final Setting<Duration> RESULTS_TICKET_TIMEOUT =
      Setting.of(
          "results.ticket-timeout",
          SettingType.duration(),
          SERVER,
          "10m",
          "A ticket that was not redeemed ends after this.");
  public static final Setting<Integer> RESULTS_MAX_TICKETS =
      Setting.of(
          "results.max-tickets",
          COUNT,
          SERVER,
          "1000",
          "Tickets of a session that may wait to be redeemed.");

  /** All of them; a default may ask for settings before its own. */
  public static final List<Setting<?>> ALL =
      List.of(
          SERVER_HOST,
          SERVER_PORT,
          SERVER_OPEN_ACCESS,
          SERVER_HOME,
          SERVER_DRAIN_TIMEOUT,
          SERVER_MAX_MESSAGE_SIZE,
          SERVER_MAX_HEADER_SIZE,
          ENGINE_THREADS,
          ENGINE_IO_THREADS,
          ENGINE_BATCH_ROWS,
          ENGINE_BACKEND,
          ENGINE_REFERENCE_ROWS,
          MEMORY_PROCESS_LIMIT,
          MEMORY_QUERY_LIMIT,
          SPILL_DIRECTORY,
          SPILL_QUERY_LIMIT,
          SPILL_PROCESS_LIMIT,
          SCAN_DELETE_FORM,
          SCAN_SPLIT_SIZE,
          SCAN_PRUNING,
          SCAN_DELETE_CACHE,
          QUERY_MAX_CONCURRENT,
          QUERY_MAX_QUEUED,
          QUERY_QUEUE_TIMEOUT,
          QUERY_TIMEOUT,
          QUERY_MAX_TEXT_SIZE,
          QUERY_HISTORY,
          SESSION_TIME_ZONE,
          SESSIONS_MAX,
          SESSIONS_MAX_PER_USER,
          SESSIONS_IDLE_TIMEOUT,
          SESSIONS_MAX_STATEMENTS,
          SESSIONS_STATEMENT_IDLE_TIMEOUT,
          RESULTS_BATCH_SIZE,
          RESULTS_BUFFER_SIZE,
          RESULTS_SLOW_READER_TIMEOUT,
          RESULTS_TICKET_TIMEOUT,
          RESULTS_MAX_TICKETS);

  private Settings() {}

  /** The setting of that name; case and {@code _} for {@code -} do not matter. */
  public static Optional<Setting<?>> find(String key) {
    String normal = key.strip().toLowerCase(Locale.ROOT).replace('_', '-');
    return ALL.stream().filter(setting -> setting.key().equals(normal)).findFirst();
  }

  /** Those that SET accepts. */
  public static List<Setting<?>> ofSession() {
    return ALL.stream().filter(setting -> setting.scope() == SESSION).toList();
  }

  private static DataSize least(long bytes, DataSize other) {
    return new DataSize(Math.min(bytes, other.bytes()));
  }
}
