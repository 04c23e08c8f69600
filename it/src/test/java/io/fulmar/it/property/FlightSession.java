package io.fulmar.it.property;

import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.flight.CallOption;
import org.apache.arrow.flight.FlightClient;
import org.apache.arrow.flight.FlightEndpoint;
import org.apache.arrow.flight.FlightInfo;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.flight.FlightStream;
import org.apache.arrow.flight.Location;
import org.apache.arrow.flight.sql.FlightSqlClient;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Schema;

/** A session of the server over Flight SQL, whose settings are set once. */
final class FlightSession implements AutoCloseable {
  private final String name;
  private final BufferAllocator allocator = new RootAllocator();
  private final FlightSqlClient client;
  private final CallOption[] options;

  /**
   * @param name for people, and the user's
   */
  FlightSession(String name, int port, List<String> settings) {
    this.name = name;
    FlightClient flight =
        FlightClient.builder(allocator, Location.forGrpcInsecure("127.0.0.1", port)).build();
    this.options =
        flight.authenticateBasicToken(name.replace(' ', '-'), "").stream()
            .toArray(CallOption[]::new);
    this.client = new FlightSqlClient(flight);
    settings.forEach(this::update);
  }

  String name() {
    return name;
  }

  /** The answer: a schema and rows of {@link CellText}, or an error. */
  record Answer(Schema schema, List<List<String>> rows, String error) {
    boolean failed() {
      return !error.isEmpty();
    }
  }

  void update(String sql) {
    client.executeUpdate(sql, options);
  }

  Answer query(String sql) {
    try {
      FlightInfo info = client.execute(sql, options);
      List<List<String>> rows = new ArrayList<>();
      Schema schema = info.getSchemaOptional().orElseThrow();
      for (FlightEndpoint endpoint : info.getEndpoints()) {
        try (FlightStream stream = client.getStream(endpoint.getTicket(), options)) {
          while (stream.next()) {
            read(stream, rows);
          }
        }
      }
      return new Answer(schema, rows, "");
    } catch (FlightRuntimeException e) {
      return new Answer(new Schema(List.of()), List.of(), e.status().description());
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static void read(FlightStream stream, List<List<String>> rows) {
    for (int row = 0; row < stream.getRoot().getRowCount(); row++) {
      List<String> cells = new ArrayList<>();
      for (FieldVector vector : stream.getRoot().getFieldVectors()) {
        cells.add(CellText.of(vector, row));
      }
      rows.add(cells);
    }
  }

  @Override
  public void close() {
    try {
      client.close();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    allocator.close();
  }
}
