/**
 * One table at one snapshot. Entry: {@link io.fulmar.catalog.metadata.TableResolver} turns a name
 * and a version into a {@link io.fulmar.catalog.metadata.TableSnapshot}; {@link
 * io.fulmar.catalog.metadata.DeleteInventoryLoader} and {@link
 * io.fulmar.catalog.metadata.SnapshotManifests} tell what lies under it. Touches catalogs through
 * {@code registry} and reads manifest lists and manifests, never data files.
 */
package io.fulmar.catalog.metadata;
