/**
 * What the native engine asks of Java while a query runs: {@link io.fulmar.server.host.EngineHost}
 * answers with scan tasks and with batches of files and tables that only Java can read. {@link
 * io.fulmar.server.host.NativeBackend} is the engine behind the planner's backend seam.
 *
 * <p>May use the engine's callbacks and messages, the catalog-adapter and the planner's query plan.
 */
package io.fulmar.server.host;
