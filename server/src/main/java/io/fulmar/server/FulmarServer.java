package io.fulmar.server;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.registry.CatalogRegistry;
import io.fulmar.server.config.ServerConfig;
import io.fulmar.server.config.SettingValues;
import io.fulmar.server.config.Settings;
import io.fulmar.server.flight.FlightEndpoint;
import io.fulmar.server.metadata.MetadataService;
import io.fulmar.server.observe.BuildInfo;
import io.fulmar.server.query.QueryRuntime;
import io.fulmar.server.session.SessionLimits;
import io.fulmar.server.session.Sessions;
import io.fulmar.server.statement.SessionOptions;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running server: catalogs, planner, engine and endpoint, wired by hand. */
public final class FulmarServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FulmarServer.class);
  private static final Duration SWEEP_PERIOD = Duration.ofMinutes(1);

  private final Deque<AutoCloseable> open;
  private final CatalogRegistry catalogs;
  private final FlightEndpoint endpoint;

  private FulmarServer(
      Deque<AutoCloseable> open, CatalogRegistry catalogs, FlightEndpoint endpoint) {
    this.open = requireNonNull(open, "open is null");
    this.catalogs = requireNonNull(catalogs, "catalogs is null");
    this.endpoint = requireNonNull(endpoint, "endpoint is null");
  }

  /**
   * Opens the catalogs, starts the engine and listens.
   *
   * @throws io.fulmar.catalog.error.FulmarException naming the setting or catalog at fault; nothing
   *     stays open
   */
  public static FulmarServer start(ServerConfig config) {
    LOG.info("Fulmar {} starts; {}", BuildInfo.version(), config.memory().describe());
    Deque<AutoCloseable> open = new ArrayDeque<>();
    try {
      return wire(config, open);
    } catch (RuntimeException | Error e) {
      closeAll(open);
      throw e;
    }
  }

  /** For clients: {@code grpc://host:port}. */
  public String uri() {
    return "grpc://" + address();
  }

  /** {@code host:port}. */
  public String address() {
    return endpoint.address();
  }

  public CatalogRegistry catalogs() {
    return catalogs;
  }

  /** Stops listening, drains, and closes everything. */
  @Override
  public void close() {
    LOG.info("Fulmar stops");
    endpoint.stopListening();
    closeAll(open);
  }

  private static FulmarServer wire(ServerConfig config, Deque<AutoCloseable> open) {
    SettingValues values = config.values();
    BufferAllocator allocator = new RootAllocator();
    open.push(allocator);
    CatalogRegistry catalogs = CatalogRegistry.open(config.catalogs());
    open.push(catalogs);
    SessionOptions options = new SessionOptions(catalogs, config);
    Sessions sessions = new Sessions(SessionLimits.from(values));
    QueryRuntime runtime = QueryRuntime.start(config, catalogs, options, allocator);
    MetadataService metadata =
        new MetadataService(
            catalogs,
            BuildInfo.version(),
            (int) Math.min(Integer.MAX_VALUE, values.value(Settings.QUERY_TIMEOUT).toMillis()));
    FlightEndpoint endpoint;
    try {
      endpoint =
          FlightEndpoint.start(values, runtime.queries(), metadata, sessions, options, allocator);
    } catch (RuntimeException e) {
      runtime.close();
      throw e;
    }
    open.push(endpoint);
    open.push(runtime);
    runtime.every(SWEEP_PERIOD, sessions::endExpired);
    LOG.info("Listening on {}, catalogs {}", endpoint.address(), catalogs.names());
    return new FulmarServer(open, catalogs, endpoint);
  }

  /** From the last opened to the first. */
  private static void closeAll(Deque<AutoCloseable> open) {
    while (!open.isEmpty()) {
      AutoCloseable part = open.pop();
      try {
        part.close();
      } catch (Exception e) {
        LOG.warn("Closing {} failed", part.getClass().getSimpleName(), e);
      }
    }
  }
}
