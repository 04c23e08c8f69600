package io.fulmar.engine;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;

/**
 * Limits of the whole native engine.
 *
 * @param cpuThreads threads that decode and compute
 * @param ioThreads threads that wait for storage
 * @param memoryLimitBytes what all queries together may reserve
 * @param spillDirectory holds one folder for each query; stale ones are removed at start
 * @param spillLimitBytes what all queries together may spill
 */
public record EngineOptions(
    int cpuThreads,
    int ioThreads,
    long memoryLimitBytes,
    Path spillDirectory,
    long spillLimitBytes) {
  public EngineOptions {
    requireNonNull(spillDirectory, "spillDirectory is null");
    if (cpuThreads < 1 || ioThreads < 1 || memoryLimitBytes < 1 || spillLimitBytes < 0) {
      throw new IllegalArgumentException(
          "Engine limits must be positive: "
              + cpuThreads
              + ", "
              + ioThreads
              + ", "
              + memoryLimitBytes
              + ", "
              + spillLimitBytes);
    }
  }
}
