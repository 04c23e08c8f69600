package io.fulmar.catalog.scan;

import java.util.List;
import java.util.Optional;

/**
 * A stream of scan tasks. Delete files and groups are known in full before the first task; tasks
 * come as manifests are read, so that a plan of a million files never stands in memory at once. Not
 * safe for use by several threads.
 */
public interface ScanPlan extends AutoCloseable {
  /** The delete files that tasks may refer to, in the order of their ids (0, 1, …). */
  List<DeleteFileRef> deleteFiles();

  /**
   * The groups of equality deletes that tasks may refer to, in the order of their ids (0, 1, …).
   */
  List<DeleteGroup> deleteGroups();

  /**
   * The next tasks, at most {@code limit}, at least one; empty at the end.
   *
   * @throws io.fulmar.catalog.error.FulmarException naming the file at fault
   */
  Optional<List<ScanTask>> next(int limit);

  /** What was read and skipped so far. */
  ScanPlanMetrics metrics();

  @Override
  void close();
}
