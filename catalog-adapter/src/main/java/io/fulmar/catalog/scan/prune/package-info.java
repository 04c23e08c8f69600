/**
 * What may be skipped. Entry: {@link io.fulmar.catalog.scan.prune.RowFilter}, from which {@link
 * io.fulmar.catalog.scan.prune.PartitionFilter} and {@link
 * io.fulmar.catalog.scan.prune.StatisticsFilter} follow. In doubt everything stays. Iceberg's own
 * evaluators are not used: they compare UUIDs as signed numbers, trust counts of nested fields and
 * place NaN elsewhere than SQL does. Touches Iceberg's expressions, transforms and file metadata.
 */
package io.fulmar.catalog.scan.prune;
