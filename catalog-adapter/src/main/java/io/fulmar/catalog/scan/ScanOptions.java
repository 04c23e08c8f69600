package io.fulmar.catalog.scan;

import static java.util.Objects.requireNonNull;

/**
 * Settings of scan planning.
 *
 * @param splitSizeBytes {@code scan.split-size}
 * @param pruning {@code scan.pruning}
 */
public record ScanOptions(long splitSizeBytes, Pruning pruning) {
  public ScanOptions {
    requireNonNull(pruning, "pruning is null");
    if (splitSizeBytes <= 0) {
      throw new IllegalArgumentException("Split size must be positive: " + splitSizeBytes);
    }
  }

  /** Whether statistics and partitions may skip files. */
  public enum Pruning {
    ENABLED,
    DISABLED
  }
}
