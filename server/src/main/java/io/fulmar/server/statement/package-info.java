/**
 * Statements that change a catalog or a session: {@link io.fulmar.server.statement.CommandRunner}.
 *
 * <p>May use the planner's commands, the catalog-adapter, {@code server.session} and {@code
 * server.config}.
 */
package io.fulmar.server.statement;
