package io.fulmar.planner.backend;

/** Plans and runs queries. Safe for use by several threads. */
public interface ComputeBackend {
  /** As settings spell it. */
  String name();

  /**
   * Plans a query; runs nothing. Called on a thread with a large stack.
   *
   * @throws io.fulmar.catalog.error.FulmarException UNSUPPORTED_SQL, with a position where one is
   *     known, for what this backend cannot compute exactly
   */
  BackendPlan plan(LogicalQuery query);
}
