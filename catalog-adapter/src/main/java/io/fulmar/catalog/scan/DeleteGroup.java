package io.fulmar.catalog.scan;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * The equality deletes of one scope and one set of equality ids (rules R10, R15).
 *
 * @param id its index in {@link ScanPlan#deleteGroups()}
 * @param fieldIds sorted; fields of any schema of the table
 * @param deleteFiles ids of {@link DeleteFileRef}
 * @param scope {@code global}, or spec and partition for people
 */
public record DeleteGroup(int id, List<Integer> fieldIds, List<Integer> deleteFiles, String scope) {
  public DeleteGroup {
    fieldIds = List.copyOf(fieldIds);
    deleteFiles = List.copyOf(deleteFiles);
    requireNonNull(scope, "scope is null");
  }
}
