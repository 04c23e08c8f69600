/**
 * Reads snapshots naively and rightly: every data file of the snapshot, its rows by Iceberg's
 * generic readers in the file's own schema, deletes applied row by row by the rules R10 to R28,
 * columns found by field id (rules R30 to R36).
 *
 * <p>Entry: {@link io.fulmar.reference.read.SnapshotReader}. The package reads manifests through
 * the catalog adapter's {@code metadata} package and writes Arrow through its {@code host} package;
 * it never touches scan planning, pruning or delete code of the native path.
 */
package io.fulmar.reference.read;
