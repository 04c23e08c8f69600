package io.fulmar.server.command;

import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import org.apache.arrow.flight.CallOption;
import org.apache.arrow.flight.FlightClient;
import org.apache.arrow.flight.FlightEndpoint;
import org.apache.arrow.flight.FlightInfo;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.flight.FlightStatusCode;
import org.apache.arrow.flight.FlightStream;
import org.apache.arrow.flight.Location;
import org.apache.arrow.flight.grpc.CredentialCallOption;
import org.apache.arrow.flight.sql.FlightSqlClient;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/** A session with a Flight SQL server. */
final class SqlClient implements AutoCloseable {
  private final BufferAllocator allocator;
  private final FlightSqlClient client;
  private final CallOption[] options;

  private SqlClient(BufferAllocator allocator, FlightSqlClient client, CallOption[] options) {
    this.allocator = requireNonNull(allocator, "allocator is null");
    this.client = requireNonNull(client, "client is null");
    this.options = options;
  }

  /**
   * Connects.
   *
   * @param url {@code grpc://host:port} or {@code grpc+tls://host:port}
   * @throws CommandException if there is no server
   */
  static SqlClient connect(String url, String user) {
    BufferAllocator allocator = new RootAllocator();
    FlightClient flight = null;
    try {
      Location location = new Location(withScheme(url));
      flight = FlightClient.builder(allocator, location).build();
      Optional<CredentialCallOption> token = flight.authenticateBasicToken(user, "");
      return new SqlClient(
          allocator, new FlightSqlClient(flight), token.stream().toArray(CallOption[]::new));
    } catch (FlightRuntimeException | IllegalArgumentException | URISyntaxException e) {
      close(flight);
      allocator.close();
      throw new CommandException(
          "Cannot connect to "
              + url
              + ": "
              + reason(e)
              + "\nIs it running? Start one: fulmar serve",
          e);
    }
  }

  /**
   * Runs a statement and prints its rows.
   *
   * @param progress is closed at the end
   * @throws CommandException with the server's error
   */
  void run(String sql, ResultPrinter printer, ProgressLine progress) {
    try (progress) {
      FlightInfo info = client.execute(sql, options);
      for (FlightEndpoint endpoint : info.getEndpoints()) {
        print(endpoint, printer, progress);
      }
      printer.end();
    } catch (FlightRuntimeException e) {
      throw new CommandException(e.status().description(), e);
    }
  }

  @Override
  public void close() {
    try {
      client.closeSession(new org.apache.arrow.flight.CloseSessionRequest(), options);
    } catch (FlightRuntimeException e) {
      // The server is gone, and the session with it.
    } finally {
      close(client);
      allocator.close();
    }
  }

  private void print(FlightEndpoint endpoint, ResultPrinter printer, ProgressLine progress) {
    try (FlightStream stream = client.getStream(endpoint.getTicket(), options)) {
      printer.start(stream.getSchema());
      while (stream.next()) {
        progress.received(stream.getRoot().getRowCount());
        printer.print(stream.getRoot());
      }
    } catch (FlightRuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new CommandException("The stream failed: " + e, e);
    }
  }

  private static URI withScheme(String url) throws URISyntaxException {
    String full = url.contains("://") ? url : "grpc://" + url;
    return new URI(full.replaceFirst("^grpc://", "grpc+tcp://"));
  }

  private static String reason(Exception failure) {
    boolean unreachable =
        failure instanceof FlightRuntimeException flight
            && flight.status().code() == FlightStatusCode.UNAVAILABLE;
    return unreachable ? "no server answers" : String.valueOf(failure.getMessage());
  }

  private static void close(AutoCloseable resource) {
    if (resource == null) {
      return;
    }

    try {
      resource.close();
    } catch (Exception e) {
      Thread.currentThread().interrupt();
    }
  }
}
