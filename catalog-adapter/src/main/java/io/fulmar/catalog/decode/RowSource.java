package io.fulmar.catalog.decode;

import java.io.Closeable;
import java.io.IOException;

/** Decodes the rows of one file, in their physical order, into the vectors it was made for. */
interface RowSource extends Closeable {
  /**
   * Writes the next rows at the vectors' indexes from 0.
   *
   * @param limit the most rows to write
   * @return the rows written; 0 at the end only
   */
  int read(int limit) throws IOException;
}
