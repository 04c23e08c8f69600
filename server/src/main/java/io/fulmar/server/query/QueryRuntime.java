package io.fulmar.server.query;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.registry.CatalogRegistry;
import io.fulmar.planner.SqlPlanner;
import io.fulmar.server.admission.AdmissionController;
import io.fulmar.server.admission.AdmissionLimits;
import io.fulmar.server.admission.QueryTimer;
import io.fulmar.server.config.ServerConfig;
import io.fulmar.server.config.SettingValues;
import io.fulmar.server.config.Settings;
import io.fulmar.server.statement.CommandRunner;
import io.fulmar.server.statement.Procedures;
import io.fulmar.server.statement.SessionOptions;
import java.time.Duration;
import org.apache.arrow.memory.BufferAllocator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Planner, engine and queue of a running server, wired; closing it drains them. */
public final class QueryRuntime implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(QueryRuntime.class);
  private static final Duration CANCEL_TIMEOUT = Duration.ofSeconds(5);

  private final ExecutionServices services;
  private final QueryService queries;
  private final Duration drainTimeout;

  private QueryRuntime(ExecutionServices services, QueryService queries, Duration drainTimeout) {
    this.services = requireNonNull(services, "services is null");
    this.queries = requireNonNull(queries, "queries is null");
    this.drainTimeout = requireNonNull(drainTimeout, "drainTimeout is null");
  }

  /**
   * Starts the engine and wires the rest.
   *
   * @param catalogs stay the caller's
   * @param allocator stays the caller's
   */
  public static QueryRuntime start(
      ServerConfig config,
      CatalogRegistry catalogs,
      SessionOptions options,
      BufferAllocator allocator) {
    SettingValues values = config.values();
    QueryRegistry registry = new QueryRegistry(values.value(Settings.QUERY_HISTORY));
    ExecutionServices services =
        new ExecutionServices(
            new AdmissionController(AdmissionLimits.from(config)),
            registry,
            new QueryTimer(),
            Backends.open(config),
            allocator);
    QueryService queries =
        new QueryService(
            new SqlPlanner(catalogs, new RuntimeTables(registry, values)),
            new QuerySettingsFactory(config, options),
            new CommandRunner(catalogs, options, Procedures.standard(catalogs)),
            services,
            values.value(Settings.QUERY_MAX_TEXT_SIZE));
    return new QueryRuntime(services, queries, values.value(Settings.SERVER_DRAIN_TIMEOUT));
  }

  public QueryService queries() {
    return queries;
  }

  /** Repeats an action until this is closed. */
  public void every(Duration period, Runnable action) {
    services.timer().every(period, action);
  }

  /** Lets running statements end, cancels those that do not in time, and stops the engine. */
  @Override
  public void close() {
    services.admission().close();
    drain();
    services.timer().close();
    services.backends().close();
  }

  private void drain() {
    try {
      if (services.admission().awaitIdle(drainTimeout)) {
        return;
      }

      LOG.info("Cancelling {} statements", services.registry().active().size());
      FulmarException reason =
          new FulmarException(ErrorCode.SHUTTING_DOWN, "The server is shutting down");
      services.registry().active().forEach(record -> record.cancellation().cancel(reason));
      services.admission().awaitIdle(CANCEL_TIMEOUT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
