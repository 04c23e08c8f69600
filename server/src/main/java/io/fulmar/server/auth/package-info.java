/**
 * Who calls: {@link io.fulmar.server.auth.CallerMiddleware} turns a call's headers into a caller
 * with or without a session.
 *
 * <p>May use Flight's middleware interfaces and {@code server.session}.
 */
package io.fulmar.server.auth;
