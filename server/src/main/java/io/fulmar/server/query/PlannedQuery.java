package io.fulmar.server.query;

import static java.util.Objects.requireNonNull;

import io.fulmar.planner.backend.BackendPlan;
import io.fulmar.server.config.DataSize;
import io.fulmar.server.error.ErrorContext;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A query whose snapshots and parameters are pinned, ready to run once.
 *
 * @param queryId names it in logs, errors and system.runtime.queries
 * @param plan for one backend
 * @param reserve the memory it is admitted with
 * @param queueTimeout how long it waits for its turn
 * @param timeout how long it may run; absent means without a limit
 */
public record PlannedQuery(
    String queryId,
    String user,
    String owner,
    Statement statement,
    BackendPlan plan,
    Instant started,
    DataSize reserve,
    Duration queueTimeout,
    Optional<Duration> timeout) {
  public PlannedQuery {
    requireNonNull(queryId, "queryId is null");
    requireNonNull(user, "user is null");
    requireNonNull(owner, "owner is null");
    requireNonNull(statement, "statement is null");
    requireNonNull(plan, "plan is null");
    requireNonNull(started, "started is null");
    requireNonNull(reserve, "reserve is null");
    requireNonNull(queueTimeout, "queueTimeout is null");
    requireNonNull(timeout, "timeout is null");
  }

  /** For errors and their log lines. */
  ErrorContext errorContext() {
    return new ErrorContext(
        Optional.of(queryId),
        Optional.of(statement.sql()),
        plan.positions(),
        Optional.of(plan.logicalText()));
  }
}
