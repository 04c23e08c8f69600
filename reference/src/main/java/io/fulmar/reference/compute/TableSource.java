package io.fulmar.reference.compute;

import io.fulmar.catalog.host.BatchReader;
import org.apache.calcite.rel.core.TableScan;

/** Opens the table behind a scan, with one vector for each field of its row type. */
@FunctionalInterface
public interface TableSource {
  /** The caller closes the reader. */
  BatchReader open(TableScan scan);
}
