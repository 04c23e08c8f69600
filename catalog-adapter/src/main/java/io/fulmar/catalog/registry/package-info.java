/**
 * Configured catalogs. Entry: {@link io.fulmar.catalog.registry.CatalogRegistry} opens them, {@link
 * io.fulmar.catalog.registry.IcebergCatalog} names namespaces and tables and loads one. Touches
 * Iceberg's catalogs and file systems; knows nothing of snapshots, scans or SQL.
 */
package io.fulmar.catalog.registry;
