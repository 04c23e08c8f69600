/**
 * Which deletes apply to which data file. Entry: {@link
 * io.fulmar.catalog.scan.deletes.DeleteIndex}, made by {@link
 * io.fulmar.catalog.scan.deletes.DeleteIndexBuilder} from all live delete entries (rules R10 to
 * R17, R23, R25). Entries are kept as columns of numbers and shared path folders, so that a million
 * fit in some hundred megabytes; look-ups go by path, or by scope, sequence and key interval, and
 * never walk all deletes of a partition for each data file. Touches {@code scan.prune}.
 */
package io.fulmar.catalog.scan.deletes;
