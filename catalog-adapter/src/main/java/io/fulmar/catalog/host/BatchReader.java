package io.fulmar.catalog.host;

import org.apache.arrow.vector.VectorSchemaRoot;

/** A stream of Arrow batches made in Java. Not safe for use by several threads. */
public interface BatchReader extends AutoCloseable {
  /**
   * Owned by the reader; its content is valid until the next call of {@link #next()}; the schema is
   * known from the start.
   */
  VectorSchemaRoot root();

  /** Loads the next batch into {@link #root()}; false at the end. */
  boolean next();

  @Override
  void close();
}
