package io.fulmar.engine;

/**
 * What the engine asks of Java while a query runs. Called from native threads, several at once; a
 * throwable fails the query with {@code HOST_FAILED} and stays the cause of the {@link
 * EngineException}.
 */
public interface HostCallbacks {
  /** The next {@code TaskBatch} of a scan, encoded. Calls for one scan never overlap. */
  byte[] nextTasks(int scanId);

  /**
   * Opens a stream of batches.
   *
   * @param batchRequest an encoded {@code BatchRequest}
   * @param schemaAddress an empty {@code ArrowSchema} to export the schema to
   * @return a reader id for the other two calls
   */
  long openBatches(byte[] batchRequest, long schemaAddress);

  /**
   * Exports the reader's next batch.
   *
   * @param arrayAddress an empty {@code ArrowArray}
   * @return false at the end, with nothing exported
   */
  boolean nextBatch(long reader, long arrayAddress);

  /** Closes a reader, also one that is not at its end. */
  void closeBatches(long reader);
}
