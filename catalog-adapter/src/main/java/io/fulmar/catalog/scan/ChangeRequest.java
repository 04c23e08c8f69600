package io.fulmar.catalog.scan;

import static java.util.Objects.requireNonNull;

/** A scan of some files of the commits of a range, instead of those of one snapshot. */
public record ChangeRequest(ChangeRange range, ChangeRange.Part part) {
  public ChangeRequest {
    requireNonNull(range, "range is null");
    requireNonNull(part, "part is null");
  }
}
