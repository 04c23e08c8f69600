package io.fulmar.planner.backend;

import io.fulmar.catalog.error.SourcePosition;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;

/** A query planned by one backend, to be run once. */
public interface BackendPlan {
  /** The logical plan for EXPLAIN. */
  String logicalText();

  /** Source ranges of the node ids that errors of a run may name. */
  Map<Integer, SourcePosition> positions();

  /**
   * Prepares a run; no row is read before the first {@link BackendQuery#next}.
   *
   * @param allocator of the batches; it outlives the run
   */
  BackendQuery start(BufferAllocator allocator);
}
