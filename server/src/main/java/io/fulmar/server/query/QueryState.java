package io.fulmar.server.query;

/** Where a statement stands. */
public enum QueryState {
  QUEUED,
  RUNNING,
  FINISHED,
  FAILED,
  CANCELLED;

  boolean isFinal() {
    return this != QUEUED && this != RUNNING;
  }
}
