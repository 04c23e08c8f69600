/**
 * The life of a statement. {@link io.fulmar.server.query.QueryService} prepares and plans it,
 * {@link io.fulmar.server.query.QueryExecution} runs it from admission to release.
 *
 * <p>May use planner, catalog-adapter, engine, and of the server {@code session}, {@code result},
 * {@code host}, {@code admission}, {@code statement} and {@code config}; knows nothing of gRPC.
 */
package io.fulmar.server.query;
