package io.fulmar.server.flight;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.util.List;
import org.apache.arrow.flight.FlightDescriptor;
import org.apache.arrow.flight.FlightEndpoint;
import org.apache.arrow.flight.FlightInfo;
import org.apache.arrow.flight.Ticket;
import org.apache.arrow.vector.ipc.WriteChannel;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.pojo.Schema;

/** Messages that several handlers make. */
final class Replies {
  private static final long UNKNOWN = -1;

  private Replies() {}

  /** One endpoint without a location: clients read it on the connection they have. */
  static FlightInfo rows(Schema schema, FlightDescriptor descriptor, Message ticket) {
    return info(schema, descriptor, ticket, UNKNOWN);
  }

  /** Of a statement that has run: the count of rows that it changed. */
  static FlightInfo changed(
      Schema schema, FlightDescriptor descriptor, Message ticket, long count) {
    return info(schema, descriptor, ticket, count);
  }

  /** A schema as an encapsulated IPC message. */
  static ByteString schemaBytes(Schema schema) {
    ByteString.Output bytes = ByteString.newOutput();
    try {
      MessageSerializer.serialize(new WriteChannel(Channels.newChannel(bytes)), schema);
    } catch (IOException e) {
      throw new UncheckedIOException("A byte string never fails", e);
    }
    return bytes.toByteString();
  }

  private static FlightInfo info(
      Schema schema, FlightDescriptor descriptor, Message ticket, long records) {
    FlightEndpoint endpoint = new FlightEndpoint(new Ticket(Any.pack(ticket).toByteArray()));
    return new FlightInfo(schema, descriptor, List.of(endpoint), UNKNOWN, records);
  }
}
