package io.fulmar.catalog.decode;

import org.apache.orc.storage.ql.exec.vector.ColumnVector;

/** Copies values of one ORC column into one Arrow vector. */
@FunctionalInterface
interface OrcColumn {
  /**
   * Copies one value; indexes do not decrease from call to call.
   *
   * @param from the column's batch
   * @param row in the batch, as if nothing were repeated
   */
  void copy(ColumnVector from, int row, int index);
}
