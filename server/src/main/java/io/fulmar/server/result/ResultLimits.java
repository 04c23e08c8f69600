package io.fulmar.server.result;

import static java.util.Objects.requireNonNull;

import io.fulmar.server.config.DataSize;
import io.fulmar.server.config.SettingValues;
import io.fulmar.server.config.Settings;
import java.time.Duration;

/**
 * Bounds of result streams.
 *
 * @param batchSize {@code results.batch-size}
 * @param slowReaderTimeout {@code results.slow-reader-timeout}
 */
public record ResultLimits(DataSize batchSize, Duration slowReaderTimeout) {
  public ResultLimits {
    requireNonNull(batchSize, "batchSize is null");
    requireNonNull(slowReaderTimeout, "slowReaderTimeout is null");
  }

  public static ResultLimits from(SettingValues values) {
    return new ResultLimits(
        values.value(Settings.RESULTS_BATCH_SIZE),
        values.value(Settings.RESULTS_SLOW_READER_TIMEOUT));
  }
}
