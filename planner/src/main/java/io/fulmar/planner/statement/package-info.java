/**
 * Statements that are not queries: commands with their names resolved, SHOW and DESCRIBE as tables
 * that Java makes, EXPLAIN around a query.
 *
 * <p>Entry: {@link io.fulmar.planner.statement.StatementPreparer}. The package touches syntax trees
 * and the catalogs; queries it hands to {@code validate}.
 */
package io.fulmar.planner.statement;
