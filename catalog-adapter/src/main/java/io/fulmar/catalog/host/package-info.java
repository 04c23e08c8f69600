/**
 * Tables whose rows Java makes, and how Java's values become Arrow batches. Entries: {@link
 * io.fulmar.catalog.host.MetadataTables} for Iceberg's metadata tables, {@link
 * io.fulmar.catalog.host.RowsHostTable} for rows of any kind, {@link
 * io.fulmar.catalog.host.ArrowColumnWriters} for single vectors. Touches Iceberg's metadata through
 * a table's own FileIO, and Arrow's vectors.
 */
package io.fulmar.catalog.host;
