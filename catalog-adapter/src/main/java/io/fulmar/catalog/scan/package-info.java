/**
 * Scan planning. Entry: {@link io.fulmar.catalog.scan.ScanPlanner} streams a snapshot's data files,
 * pruned, with the deletes that apply to each (rules R01 to R27). Reads manifest lists and
 * manifests through {@code metadata}, never a data or delete file.
 */
package io.fulmar.catalog.scan;
