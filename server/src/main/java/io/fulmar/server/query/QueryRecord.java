package io.fulmar.server.query;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.engine.plan.QueryMetrics;
import io.fulmar.server.admission.Cancellation;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/** What is known of one statement while it runs and after. Safe for use by several threads. */
final class QueryRecord {
  private final String queryId;
  private final String user;
  private final String owner;
  private final String sql;
  private final Instant started;
  private final long startedNanos = System.nanoTime();
  private final Cancellation cancellation;
  private volatile QueryState state = QueryState.QUEUED;
  private volatile Duration finalElapsed;
  private volatile FulmarException error;
  private volatile Supplier<QueryMetrics> metrics = QueryMetrics::getDefaultInstance;

  QueryRecord(
      String queryId,
      String user,
      String owner,
      String sql,
      Instant started,
      Cancellation cancellation) {
    this.queryId = requireNonNull(queryId, "queryId is null");
    this.user = requireNonNull(user, "user is null");
    this.owner = requireNonNull(owner, "owner is null");
    this.sql = requireNonNull(sql, "sql is null");
    this.started = requireNonNull(started, "started is null");
    this.cancellation = requireNonNull(cancellation, "cancellation is null");
  }

  String queryId() {
    return queryId;
  }

  String user() {
    return user;
  }

  String owner() {
    return owner;
  }

  String sql() {
    return sql;
  }

  Instant started() {
    return started;
  }

  Cancellation cancellation() {
    return cancellation;
  }

  QueryState state() {
    return state;
  }

  Optional<FulmarException> error() {
    return Optional.ofNullable(error);
  }

  Duration elapsed() {
    Duration fixed = finalElapsed;
    return fixed == null ? Duration.ofNanos(System.nanoTime() - startedNanos) : fixed;
  }

  /** The engine's counts, live while it runs. */
  QueryMetrics metrics() {
    return metrics.get();
  }

  void running(Supplier<QueryMetrics> live) {
    metrics = live;
    state = QueryState.RUNNING;
  }

  /** Keeps the last counts, since the live ones end with the engine's query. */
  void keep(QueryMetrics last) {
    metrics = () -> last;
  }

  void finished() {
    end(QueryState.FINISHED);
  }

  void failed(FulmarException why) {
    error = why;
    end(why.code() == ErrorCode.CANCELLED ? QueryState.CANCELLED : QueryState.FAILED);
  }

  private void end(QueryState last) {
    finalElapsed = Duration.ofNanos(System.nanoTime() - startedNanos);
    state = last;
  }
}
