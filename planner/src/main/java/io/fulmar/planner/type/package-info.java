/**
 * Types: Iceberg to SQL, SQL to Arrow and to the plan language, and the rules by which operators
 * derive theirs.
 *
 * <p>Entries: {@link io.fulmar.planner.type.SqlTypes} for mappings, {@link
 * io.fulmar.planner.type.FulmarTypeSystem} for the rules. The package touches Calcite's type
 * classes, Iceberg's schema classes, Arrow's schema classes and the plan's messages, nothing else.
 */
package io.fulmar.planner.type;
