package io.fulmar.server.query;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.decode.FileDecoder;
import io.fulmar.catalog.scan.ScanPlanner;
import io.fulmar.engine.NativeEngine;
import io.fulmar.engine.NativeQuery;
import io.fulmar.engine.plan.QueryMetrics;
import io.fulmar.planner.QueryPlan;
import io.fulmar.server.admission.AdmissionController;
import io.fulmar.server.admission.QueryTimer;
import io.fulmar.server.host.EngineHost;
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
    NativeEngine engine,
    ScanPlanner scanPlanner,
    FileDecoder decoder,
    BufferAllocator allocator) {
  ExecutionServices {
    requireNonNull(admission, "admission is null");
    requireNonNull(registry, "registry is null");
    requireNonNull(timer, "timer is null");
    requireNonNull(engine, "engine is null");
    requireNonNull(scanPlanner, "scanPlanner is null");
    requireNonNull(decoder, "decoder is null");
    requireNonNull(allocator, "allocator is null");
  }

  EngineHost host(QueryPlan plan) {
    return new EngineHost(plan, scanPlanner, decoder, allocator);
  }

  NativeQuery start(QueryPlan plan, EngineHost host) {
    return engine.prepare(plan.plan(), host, allocator);
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
