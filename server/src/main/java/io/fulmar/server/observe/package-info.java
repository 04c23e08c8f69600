/**
 * What operators see: {@link io.fulmar.server.observe.QueryLog} writes a line for each statement,
 * {@link io.fulmar.server.observe.ShutdownSignal} turns Ctrl-C into an orderly end.
 *
 * <p>May use logging and the JDK.
 */
package io.fulmar.server.observe;
