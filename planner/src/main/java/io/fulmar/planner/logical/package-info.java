/**
 * From Calcite's conversion result to a normalised relational tree: sub-queries become joins,
 * parameters become literals, correlation is gone, operands of one operator have one type, filters
 * stand next to their tables and only needed columns remain.
 *
 * <p>Entry: {@link io.fulmar.planner.logical.LogicalPlanner}. The package knows Calcite only: no
 * Iceberg table, no plan message.
 */
package io.fulmar.planner.logical;
