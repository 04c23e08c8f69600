/**
 * Errors on the wire: {@link io.fulmar.server.error.ErrorMapper} turns whatever was thrown into one
 * Flight status with code, SQLSTATE, position and hint.
 *
 * <p>May use Flight, the error types of catalog-adapter and engine, and nothing else of Fulmar.
 */
package io.fulmar.server.error;
