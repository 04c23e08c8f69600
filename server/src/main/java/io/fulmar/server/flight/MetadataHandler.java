package io.fulmar.server.flight;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.Message;
import io.fulmar.server.metadata.MetadataAnswer;
import java.util.function.Supplier;
import org.apache.arrow.flight.FlightDescriptor;
import org.apache.arrow.flight.FlightInfo;
import org.apache.arrow.flight.FlightProducer.ServerStreamListener;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;

/** Metadata commands: the ticket is the command itself, and its answer one batch. */
final class MetadataHandler {
  private final ResultStreams streams;
  private final BufferAllocator allocator;

  MetadataHandler(ResultStreams streams, BufferAllocator allocator) {
    this.streams = requireNonNull(streams, "streams is null");
    this.allocator = requireNonNull(allocator, "allocator is null");
  }

  FlightInfo info(Message command, Schema schema, FlightDescriptor descriptor) {
    return Replies.rows(schema, descriptor, command);
  }

  void send(Supplier<MetadataAnswer> answer, ServerStreamListener listener) {
    streams.send(
        (sink, cancellation) -> {
          MetadataAnswer rows = answer.get();
          sink.start(rows.schema());
          try (VectorSchemaRoot batch = rows.load(allocator)) {
            sink.send(batch);
          }
        },
        listener);
  }
}
