package io.fulmar.server.query;

import io.fulmar.server.admission.Cancellation;
import io.fulmar.server.result.ResultSink;

/** What a ticket stands for: runs once and gives its rows to a sink. */
@FunctionalInterface
public interface ResultProducer {
  /**
   * Announces the schema, then sends all batches; returns after the last.
   *
   * @param cancellation stops it within a second
   * @throws RuntimeException after which the stream must end with that error
   */
  void produce(ResultSink sink, Cancellation cancellation);
}
