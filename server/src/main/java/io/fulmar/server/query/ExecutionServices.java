package io.fulmar.server.query;

import static java.util.Objects.requireNonNull;

import io.fulmar.engine.plan.QueryMetrics;
import io.fulmar.server.admission.AdmissionController;
import io.fulmar.server.admission.QueryTimer;
import io.fulmar.server.observe.QueryLog;
import org.apache.arrow.memory.BufferAllocator;

/**
 * What every execution uses.
 *
 * @param allocator gives the memory of imported batches and of those that Java makes
 */
record ExecutionServices(
    AdmissionController admission,
    QueryRegistry registry,
    QueryTimer timer,
    Backends backends,
    BufferAllocator allocator) {
  ExecutionServices {
    requireNonNull(admission, "admission is null");
    requireNonNull(registry, "registry is null");
    requireNonNull(timer, "timer is null");
    requireNonNull(backends, "backends is null");
    requireNonNull(allocator, "allocator is null");
  }

  void log(QueryRecord record) {
    QueryMetrics metrics = record.metrics();
    QueryLog.write(
        new QueryLog.Entry(
            record.queryId(),
            record.user(),
            record.sql(),
            record.state().name(),
            record.elapsed(),
            metrics.getRows(),
            metrics.getPeakMemoryBytes(),
            metrics.getSpilledBytes(),
            record.error().map(error -> error.code() + " " + error.getMessage())));
  }
}
