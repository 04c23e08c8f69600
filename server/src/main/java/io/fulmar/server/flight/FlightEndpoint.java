package io.fulmar.server.flight;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.server.auth.CallerMiddleware;
import io.fulmar.server.config.SettingValues;
import io.fulmar.server.config.Settings;
import io.fulmar.server.metadata.MetadataService;
import io.fulmar.server.query.QueryService;
import io.fulmar.server.query.ResultProducer;
import io.fulmar.server.result.ResultLimits;
import io.fulmar.server.session.HandleStore;
import io.fulmar.server.session.Sessions;
import io.fulmar.server.statement.SessionOptions;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.arrow.flight.FlightServer;
import org.apache.arrow.flight.Location;
import org.apache.arrow.memory.BufferAllocator;

/** A listening Flight SQL server. */
public final class FlightEndpoint implements AutoCloseable {
  private static final long TERMINATION_SECONDS = 5;

  private final FlightServer server;
  private final ExecutorService callThreads;
  private final ExecutorService resultThreads;
  private final String host;

  private FlightEndpoint(
      FlightServer server,
      ExecutorService callThreads,
      ExecutorService resultThreads,
      String host) {
    this.server = requireNonNull(server, "server is null");
    this.callThreads = requireNonNull(callThreads, "callThreads is null");
    this.resultThreads = requireNonNull(resultThreads, "resultThreads is null");
    this.host = requireNonNull(host, "host is null");
  }

  /**
   * Wires the handlers and listens.
   *
   * @param allocator stays the caller's
   * @throws FulmarException INVALID_SETTING if it cannot listen there
   */
  public static FlightEndpoint start(
      SettingValues values,
      QueryService queries,
      MetadataService metadata,
      Sessions sessions,
      SessionOptions options,
      BufferAllocator allocator) {
    ExecutorService calls = Executors.newCachedThreadPool(threads("fulmar-call-"));
    ExecutorService results = Executors.newCachedThreadPool(threads("fulmar-result-"));
    HandleStore<ResultProducer> tickets = new HandleStore<>(ticketLimits(values));
    HandleStore<PreparedHandle> prepared = new HandleStore<>(statementLimits(values));
    sessions.onClose(session -> tickets.removeAll(session.id()));
    sessions.onClose(session -> prepared.removeAll(session.id()));

    ResultStreams streams =
        new ResultStreams(tickets, allocator, ResultLimits.from(values), results);
    StatementHandler statements = new StatementHandler(queries, streams);
    FulmarProducer producer =
        new FulmarProducer(
            metadata,
            new MetadataHandler(streams, allocator),
            statements,
            new PreparedHandler(queries, statements, prepared),
            new SessionHandler(sessions, options),
            streams,
            allocator);
    FlightServer server =
        listen(EndpointSettings.from(values), producer, sessions, allocator, calls);
    return new FlightEndpoint(server, calls, results, values.value(Settings.SERVER_HOST));
  }

  /** Where clients of this machine connect: {@code host:port}. */
  public String address() {
    return host + ":" + server.getPort();
  }

  /** Refuses new connections; calls that run go on. */
  public void stopListening() {
    server.shutdown();
  }

  @Override
  public void close() {
    try {
      server.close();
      callThreads.shutdown();
      resultThreads.shutdown();
      boolean ended = resultThreads.awaitTermination(TERMINATION_SECONDS, TimeUnit.SECONDS);
      ended &= callThreads.awaitTermination(TERMINATION_SECONDS, TimeUnit.SECONDS);
      if (!ended) {
        resultThreads.shutdownNow();
        callThreads.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static FlightServer listen(
      EndpointSettings settings,
      FulmarProducer producer,
      Sessions sessions,
      BufferAllocator allocator,
      ExecutorService calls) {
    Location location = Location.forGrpcInsecure(settings.host(), settings.port());
    try {
      return FlightServer.builder(allocator, location, producer)
          .middleware(CallerMiddleware.KEY, CallerMiddleware.openAccess(sessions))
          .executor(calls)
          .maxInboundMessageSize(Math.toIntExact(settings.maxMessageSize().bytes()))
          .setMaxHeaderListSize(Math.toIntExact(settings.maxHeaderSize().bytes()))
          .backpressureThreshold(Math.toIntExact(settings.bufferSize().bytes()))
          .build()
          .start();
    } catch (IOException e) {
      throw new FulmarException(
              ErrorCode.INVALID_SETTING,
              "Cannot listen on %s:%d: %s"
                  .formatted(settings.host(), settings.port(), rootMessage(e)),
              e)
          .withHint("Set server.host or server.port, or end the program that has the port.");
    }
  }

  private static HandleStore.Limits ticketLimits(SettingValues values) {
    return new HandleStore.Limits(
        "results to be fetched",
        values.value(Settings.RESULTS_MAX_TICKETS),
        Settings.RESULTS_MAX_TICKETS.key(),
        values.value(Settings.RESULTS_TICKET_TIMEOUT));
  }

  private static HandleStore.Limits statementLimits(SettingValues values) {
    return new HandleStore.Limits(
        "prepared statements",
        values.value(Settings.SESSIONS_MAX_STATEMENTS),
        Settings.SESSIONS_MAX_STATEMENTS.key(),
        values.value(Settings.SESSIONS_STATEMENT_IDLE_TIMEOUT));
  }

  private static ThreadFactory threads(String prefix) {
    AtomicLong count = new AtomicLong(1);
    return task -> {
      Thread thread = new Thread(task, prefix + count.getAndIncrement());
      thread.setDaemon(true);
      return thread;
    };
  }

  private static String rootMessage(Throwable thrown) {
    Throwable root = thrown;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root.getMessage();
  }
}
