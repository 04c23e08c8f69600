/**
 * Results on the wire: {@link io.fulmar.server.result.FlightResultSink} sends Arrow batches as fast
 * as the client takes them.
 *
 * <p>May use Flight, Arrow, error codes and {@code server.config}.
 */
package io.fulmar.server.result;
