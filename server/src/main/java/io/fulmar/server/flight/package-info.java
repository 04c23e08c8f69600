/**
 * The Flight SQL protocol: {@link io.fulmar.server.flight.FlightEndpoint} listens, {@link
 * io.fulmar.server.flight.FulmarProducer} dispatches to one small handler for each concern.
 *
 * <p>May use Flight, {@code server.query}, {@code server.session}, {@code server.metadata}, {@code
 * server.result}, {@code server.admission} and {@code server.auth}; knows nothing of planner,
 * catalogs or engine.
 */
package io.fulmar.server.flight;
