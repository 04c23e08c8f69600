/**
 * Sessions: {@link io.fulmar.server.session.Sessions} opens one for each login, {@link
 * io.fulmar.server.session.Session} holds its catalog, schema and settings, {@link
 * io.fulmar.server.session.HandleStore} its prepared statements and tickets.
 *
 * <p>May use {@code server.config} and error codes, and nothing else of Fulmar.
 */
package io.fulmar.server.session;
