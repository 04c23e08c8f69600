package io.fulmar.catalog.scan;

/** Counts of manifests and files that planning read and skipped. */
public record ScanPlanMetrics(
    long dataManifests,
    long dataManifestsSkipped,
    long deleteManifests,
    long deleteManifestsSkipped,
    long dataFiles,
    long dataFilesSkipped,
    long deleteFiles,
    long deleteFilesSkipped) {}
