/**
 * From the optimised relational tree to the engine's plan: every operator and expression becomes a
 * typed message, anti-joins to deletes become attributes of their scan, and what the plan language
 * does not know is refused by name and position.
 *
 * <p>Entry: {@link io.fulmar.planner.transport.QueryAssembler}. The package touches Calcite trees,
 * table metadata and plan messages; it reads no file.
 */
package io.fulmar.planner.transport;
