package io.fulmar.server.host;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.decode.FileDecoder;
import io.fulmar.catalog.error.SourcePosition;
import io.fulmar.catalog.metadata.DeleteInventoryLoader;
import io.fulmar.catalog.scan.ScanPlanMetrics;
import io.fulmar.catalog.scan.ScanPlanner;
import io.fulmar.engine.NativeEngine;
import io.fulmar.engine.NativeQuery;
import io.fulmar.engine.plan.QueryMetrics;
import io.fulmar.planner.QueryPlan;
import io.fulmar.planner.backend.BackendPlan;
import io.fulmar.planner.backend.BackendQuery;
import io.fulmar.planner.backend.ComputeBackend;
import io.fulmar.planner.backend.LogicalQuery;
import io.fulmar.planner.logical.PlanLimits;
import io.fulmar.planner.transport.QueryAssembler;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * The native engine as a backend: it reads, applies deletes and computes in one fused plan. Closing
 * it stops the engine.
 */
public final class NativeBackend implements ComputeBackend, AutoCloseable {
  private final NativeEngine engine;
  private final QueryAssembler assembler =
      new QueryAssembler(PlanLimits.DEFAULT, new DeleteInventoryLoader()::load);
  private final ScanPlanner scanPlanner = new ScanPlanner();
  private final FileDecoder decoder = new FileDecoder();

  /**
   * @param engine becomes this backend's
   */
  public NativeBackend(NativeEngine engine) {
    this.engine = requireNonNull(engine, "engine is null");
  }

  @Override
  public String name() {
    return "native";
  }

  @Override
  public BackendPlan plan(LogicalQuery query) {
    return new Plan(assembler.assemble(query));
  }

  @Override
  public void close() {
    engine.close();
    scanPlanner.close();
  }

  private final class Plan implements BackendPlan {
    private final QueryPlan plan;

    Plan(QueryPlan plan) {
      this.plan = plan;
    }

    @Override
    public String logicalText() {
      return plan.logicalText();
    }

    @Override
    public Map<Integer, SourcePosition> positions() {
      return plan.positions();
    }

    @Override
    public BackendQuery start(BufferAllocator allocator) {
      EngineHost host = new EngineHost(plan, scanPlanner, decoder, allocator);
      try {
        return new Run(engine.prepare(plan.plan(), host, allocator), host);
      } catch (RuntimeException | Error e) {
        host.close();
        throw e;
      }
    }
  }

  private record Run(NativeQuery query, EngineHost host) implements BackendQuery {
    @Override
    public String physicalPlan() {
      return query.physicalPlan();
    }

    @Override
    public VectorSchemaRoot root() {
      return query.root();
    }

    @Override
    public boolean next() {
      return query.next();
    }

    @Override
    public void cancel() {
      query.cancel();
    }

    @Override
    public QueryMetrics metrics() {
      return query.metrics();
    }

    @Override
    public Map<Integer, ScanPlanMetrics> planning() {
      return host.planning();
    }

    /** The engine's query first: it asks the host until it is closed. */
    @Override
    public void close() {
      try {
        query.close();
      } finally {
        host.close();
      }
    }
  }
}
