package io.fulmar.server.query;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.error.SourcePosition;
import io.fulmar.planner.backend.BackendQuery;
import io.fulmar.server.admission.AdmissionController;
import io.fulmar.server.admission.Cancellation;
import io.fulmar.server.error.ErrorMapper;
import io.fulmar.server.error.StatementException;
import io.fulmar.server.result.ResultSink;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;

/**
 * One run of one planned query: admit, hand the plan to the engine, stream, release. Whatever ends
 * it, the engine's query, the scans, the readers and the place in the queue are given back.
 */
final class QueryExecution {
  private final PlannedQuery query;
  private final ExecutionServices services;
  private final Cancellation cancellation;
  private final QueryRecord record;

  QueryExecution(PlannedQuery query, ExecutionServices services, Cancellation cancellation) {
    this.query = requireNonNull(query, "query is null");
    this.services = requireNonNull(services, "services is null");
    this.cancellation = requireNonNull(cancellation, "cancellation is null");
    this.record =
        new QueryRecord(
            query.queryId(),
            query.user(),
            query.owner(),
            query.statement().sql(),
            query.started(),
            cancellation);
  }

  /**
   * Runs to the end on the calling thread.
   *
   * @throws StatementException with the typed cause
   */
  void run(ResultSink sink) {
    run(running -> stream(running, sink));
  }

  /** As {@link #run(ResultSink)}, where another reads what the query gives. */
  void run(Consumer<BackendQuery> reader) {
    services.registry().add(record);
    try (AutoCloseable timer = startTimer()) {
      admitAndRead(reader);
      record.finished();
    } catch (Throwable t) {
      FulmarException error = typed(t);
      record.failed(error);
      throw new StatementException(query.errorContext(), error);
    } finally {
      services.registry().end(record);
      services.log(record);
    }
  }

  private void admitAndRead(Consumer<BackendQuery> reader) {
    try (AdmissionController.Grant grant =
        services.admission().admit(query.reserve(), query.queueTimeout(), cancellation)) {
      try (BackendQuery running = query.plan().start(services.allocator())) {
        record.running(running::metrics);
        // The history of statements keeps the cancellation: it must not keep the query.
        Runnable cancel = running::cancel;
        cancellation.onCancel(cancel);
        try {
          reader.accept(running);
        } finally {
          cancellation.remove(cancel);
          record.keep(running.metrics());
        }
      }
    }
  }

  private void stream(BackendQuery running, ResultSink sink) {
    sink.start(query.statement().resultSchema());
    while (running.next()) {
      cancellation.throwIfCancelled();
      sink.send(running.root());
    }
    cancellation.throwIfCancelled();
  }

  /** What the engine reports after a cancellation is not the cause. */
  private FulmarException typed(Throwable thrown) {
    Map<Integer, SourcePosition> positions = query.plan().positions();
    return cancellation.reason().orElseGet(() -> ErrorMapper.toFulmar(thrown, positions));
  }

  private AutoCloseable startTimer() {
    return query
        .timeout()
        .map(limit -> services.timer().after(limit, () -> cancellation.cancel(tooLong(limit))))
        .orElse(() -> {});
  }

  private static FulmarException tooLong(Duration limit) {
    return new FulmarException(
            ErrorCode.TIMEOUT, "The statement ran longer than " + limit.toSeconds() + " s")
        .withHint("Raise query.timeout.");
  }
}
