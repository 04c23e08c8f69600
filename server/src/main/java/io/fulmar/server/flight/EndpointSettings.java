package io.fulmar.server.flight;

import static java.util.Objects.requireNonNull;

import io.fulmar.server.config.DataSize;
import io.fulmar.server.config.SettingValues;
import io.fulmar.server.config.Settings;

/**
 * Where and how to listen.
 *
 * @param host {@code server.host}
 * @param port {@code server.port}
 * @param maxMessageSize {@code server.max-message-size}
 * @param maxHeaderSize {@code server.max-header-size}
 * @param bufferSize {@code results.buffer-size}
 */
record EndpointSettings(
    String host, int port, DataSize maxMessageSize, DataSize maxHeaderSize, DataSize bufferSize) {
  EndpointSettings {
    requireNonNull(host, "host is null");
    requireNonNull(maxMessageSize, "maxMessageSize is null");
    requireNonNull(maxHeaderSize, "maxHeaderSize is null");
    requireNonNull(bufferSize, "bufferSize is null");
  }

  static EndpointSettings from(SettingValues values) {
    return new EndpointSettings(
        values.value(Settings.SERVER_HOST),
        values.value(Settings.SERVER_PORT),
        values.value(Settings.SERVER_MAX_MESSAGE_SIZE),
        values.value(Settings.SERVER_MAX_HEADER_SIZE),
        values.value(Settings.RESULTS_BUFFER_SIZE));
  }
}
