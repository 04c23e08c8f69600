package io.fulmar.planner.backend;

import io.fulmar.catalog.scan.ScanPlanMetrics;
import io.fulmar.engine.plan.QueryMetrics;
import java.util.Map;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * One run of a query. One thread reads it; {@link #cancel} and {@link #metrics} may be called from
 * any. The creator closes it.
 */
public interface BackendQuery extends AutoCloseable {
  /** How the query runs, one operator a line. */
  String physicalPlan();

  /** The root that every batch is read into, with the announced schema. */
  VectorSchemaRoot root();

  /**
   * Puts the next batch into {@link #root}; false at the end.
   *
   * @throws RuntimeException typed: a {@code FulmarException} or the native engine's
   */
  boolean next();

  /** Makes a waiting {@link #next} fail soon. */
  void cancel();

  /** Counts so far. */
  QueryMetrics metrics();

  /**
   * What planning read and skipped so far, by the scan's id; nothing of scans that no task was
   * asked of, and of backends that plan nothing.
   */
  default Map<Integer, ScanPlanMetrics> planning() {
    return Map.of();
  }

  @Override
  void close();
}
