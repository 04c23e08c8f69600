package io.fulmar.catalog.scan;

import java.util.concurrent.atomic.LongAdder;

/** What a plan has read and skipped so far. Safe for use by several threads. */
final class PlanCounters {
  final LongAdder dataManifests = new LongAdder();
  final LongAdder dataManifestsSkipped = new LongAdder();
  final LongAdder deleteManifests = new LongAdder();
  final LongAdder deleteManifestsSkipped = new LongAdder();
  final LongAdder dataFiles = new LongAdder();
  final LongAdder dataFilesSkipped = new LongAdder();
  final LongAdder deleteFiles = new LongAdder();
  final LongAdder deleteFilesSkipped = new LongAdder();

  ScanPlanMetrics metrics() {
    return new ScanPlanMetrics(
        dataManifests.sum(),
        dataManifestsSkipped.sum(),
        deleteManifests.sum(),
        deleteManifestsSkipped.sum(),
        dataFiles.sum(),
        dataFilesSkipped.sum(),
        deleteFiles.sum(),
        deleteFilesSkipped.sum());
  }
}
