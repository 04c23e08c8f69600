/**
 * The seam between planning and execution. A backend takes a relational tree over pinned snapshots,
 * never plan bytes: {@link io.fulmar.planner.backend.ComputeBackend} turns a query into rows,
 * {@link io.fulmar.planner.backend.ReadBackend} gives the live rows of one snapshot.
 *
 * <p>Entry: {@link io.fulmar.planner.backend.LogicalQuery}, what every backend is handed. The
 * package touches Calcite's {@code RelNode}, the catalog adapter's snapshots, Arrow, and the
 * planner's own types; it knows no backend.
 */
package io.fulmar.planner.backend;
