/**
 * Settings: one list ({@link io.fulmar.server.config.Settings}), read from a YAML file and {@code
 * --set} by {@link io.fulmar.server.config.ConfigLoader} into a {@link
 * io.fulmar.server.config.ServerConfig}, overridden for a session by SET.
 *
 * <p>May use the catalog-adapter's settings record and error codes, and nothing else of Fulmar.
 */
package io.fulmar.server.config;
