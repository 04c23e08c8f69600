/**
 * The reference backend: snapshots read and queries computed in Java alone, naively and rightly. It
 * is what the native engine is compared with, and what answers where no native library exists.
 *
 * <p>Entry: {@link io.fulmar.reference.ReferenceBackend}. {@code read} gives the live rows of a
 * snapshot, {@code compute} the rows of a query. Nothing here may use scan planning, pruning or
 * delete code of the native path: a shared fault would hide.
 */
package io.fulmar.reference;
