package io.fulmar.planner;

import io.fulmar.planner.backend.BackendPlan;
import io.fulmar.planner.backend.ComputeBackend;
import org.apache.arrow.vector.types.pojo.Schema;

/** A statement that was parsed and validated. */
public sealed interface PreparedStatement {
  /**
   * Types of the parameters in order, empty where there are none; names are {@code $1}, {@code $2},
   * ….
   */
  Schema parameterSchema();

  /** A statement that gives rows. Immutable; {@link #plan} may be called many times. */
  non-sealed interface Query extends PreparedStatement {
    /** The announced result schema: all columns nullable. */
    Schema resultSchema();

    /**
     * Resolves snapshots anew, binds the parameters as literals, and plans.
     *
     * @throws io.fulmar.catalog.error.FulmarException SCHEMA_CHANGED if the result schema is no
     *     longer the announced one
     */
    QueryPlan plan(ParameterValues parameters, PlanningContext context);

    /** As {@link #plan(ParameterValues, PlanningContext)}, for any backend. */
    BackendPlan plan(ParameterValues parameters, PlanningContext context, ComputeBackend backend);
  }

  /** EXPLAIN: one VARCHAR column {@code plan}, a row for each line. */
  record Explain(Query query, Detail detail, Schema resultSchema) implements PreparedStatement {
    /** What EXPLAIN shows. */
    public enum Detail {
      LOGICAL,
      PHYSICAL,
      ALL,
      /** The query runs, and its operators' counts take the place of its rows. */
      ANALYZE
    }

    @Override
    public Schema parameterSchema() {
      return query.parameterSchema();
    }
  }

  /** A statement that changes a catalog or the session. */
  record Update(Command command) implements PreparedStatement {
    @Override
    public Schema parameterSchema() {
      return new Schema(java.util.List.of());
    }
  }
}
