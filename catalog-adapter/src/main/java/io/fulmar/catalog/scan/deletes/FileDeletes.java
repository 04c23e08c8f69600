package io.fulmar.catalog.scan.deletes;

import java.util.List;
import java.util.OptionalInt;

/**
 * The deletes of one data file.
 *
 * @param deletionVector its id; then there are no position deletes (rule R12)
 * @param positionDeletes ids of files
 * @param groups ids of groups of equality deletes
 */
public record FileDeletes(
    OptionalInt deletionVector, List<Integer> positionDeletes, List<Integer> groups) {
  public FileDeletes {
    positionDeletes = List.copyOf(positionDeletes);
    groups = List.copyOf(groups);
  }
}
