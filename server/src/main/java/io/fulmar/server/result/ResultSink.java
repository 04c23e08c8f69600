package io.fulmar.server.result;

import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;

/** Takes the batches of a result in order. Not safe for use by several threads. */
public interface ResultSink {
  /** Announces the schema, also of a result without rows. Called once, before any batch. */
  void start(Schema schema);

  /**
   * Takes a batch, waiting until the client has room; the batch stays the caller's.
   *
   * @throws io.fulmar.catalog.error.FulmarException CANCELLED or TIMEOUT if the client does not
   *     take it, INTERNAL_ERROR if its schema is not the announced one
   */
  void send(VectorSchemaRoot batch);
}
