package io.fulmar.server.session;

import static java.util.Objects.requireNonNull;

import io.fulmar.server.config.SettingValues;
import io.fulmar.server.config.Settings;
import java.time.Duration;

/**
 * Bounds of sessions.
 *
 * @param max {@code sessions.max}
 * @param maxPerUser {@code sessions.max-per-user}
 * @param idleTimeout {@code sessions.idle-timeout}
 */
public record SessionLimits(int max, int maxPerUser, Duration idleTimeout) {
  public SessionLimits {
    requireNonNull(idleTimeout, "idleTimeout is null");
  }

  public static SessionLimits from(SettingValues values) {
    return new SessionLimits(
        values.value(Settings.SESSIONS_MAX),
        values.value(Settings.SESSIONS_MAX_PER_USER),
        values.value(Settings.SESSIONS_IDLE_TIMEOUT));
  }
}
