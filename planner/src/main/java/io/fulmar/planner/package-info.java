/**
 * SQL text to plan.
 *
 * <p>Entry: {@link io.fulmar.planner.SqlPlanner}, which prepares a statement; a prepared query then
 * plans itself for one execution. The stages stand in packages of their own: {@code parse} (text to
 * syntax tree), {@code validate} (names and types, then relational algebra), {@code statement}
 * (commands, SHOW, EXPLAIN), {@code logical} (normalisation), {@code deletes} (deletes as
 * anti-joins), {@code transport} (the plan's messages), {@code explain}; {@code type} and {@code
 * function} are the tables they share.
 */
package io.fulmar.planner;
