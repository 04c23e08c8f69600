package io.fulmar.server.admission;

import static java.util.Objects.requireNonNull;

import io.fulmar.server.config.DataSize;
import io.fulmar.server.config.ServerConfig;
import io.fulmar.server.config.Settings;

/**
 * Bounds of admission.
 *
 * @param maxConcurrent {@code query.max-concurrent}
 * @param maxQueued {@code query.max-queued}
 * @param memory what the minimum grants and buffers of running statements may add up to
 */
public record AdmissionLimits(int maxConcurrent, int maxQueued, DataSize memory) {
  public AdmissionLimits {
    requireNonNull(memory, "memory is null");
  }

  public static AdmissionLimits from(ServerConfig config) {
    long memory = config.memory().engine().bytes() + config.memory().buffers().bytes();
    return new AdmissionLimits(
        config.values().value(Settings.QUERY_MAX_CONCURRENT),
        config.values().value(Settings.QUERY_MAX_QUEUED),
        new DataSize(memory));
  }
}
