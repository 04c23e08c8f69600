/**
 * Types. Entry: {@link io.fulmar.catalog.type.IcebergTypes}, the one table from Iceberg's types to
 * Arrow's. Touches Iceberg's and Arrow's type classes only.
 */
package io.fulmar.catalog.type;
