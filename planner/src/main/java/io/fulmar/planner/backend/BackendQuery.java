package io.fulmar.planner.backend;

import io.fulmar.engine.plan.QueryMetrics;
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

  @Override
  void close();
}
