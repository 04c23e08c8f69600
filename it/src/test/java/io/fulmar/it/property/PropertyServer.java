package io.fulmar.it.property;

import io.fulmar.it.server.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** One server for all random tables, with a session for each way to ask. */
final class PropertyServer implements AutoCloseable {
  private final Path folder;
  private final ServerProcess server;
  private final FlightSession reference;
  private final List<FlightSession> natives = new ArrayList<>();

  private PropertyServer(Path folder, ServerProcess server) {
    this.folder = folder;
    this.server = server;
    this.reference = session("reference", List.of("SET engine.backend = 'reference'"));
    reference.update("CREATE SCHEMA prop.s");
    for (String form : List.of("auto", "set", "merge")) {
      for (int threads = 1; threads <= 2; threads++) {
        for (String limit : List.of("32MB", "1GB")) {
          natives.add(
              session(
                  "native %s %d %s".formatted(form, threads, limit),
                  List.of(
                      "SET scan.delete-form = '" + form + "'",
                      "SET engine.threads = " + threads,
                      "SET memory.query-limit = '" + limit + "'",
                      "SET scan.split-size = '" + (threads == 1 ? "1KB" : "128MB") + "'")));
        }
      }
    }
  }

  static PropertyServer start(Path folder) {
    deleteRecursively(folder);
    String catalogs =
        """
        catalogs:
          prop:
            type: jdbc
            properties:
              uri: "jdbc:sqlite:%1$s/prop.db"
              warehouse: "file:%1$s/warehouse"
        """
            .formatted(folder.toAbsolutePath());
    return new PropertyServer(
        folder, ServerProcess.start(folder, catalogs, List.of("memory.process-limit=3GB")));
  }

  Path folder() {
    return folder;
  }

  FlightSession reference() {
    return reference;
  }

  /** Every delete form with 1 and 2 threads, a tiny and a large budget. */
  List<FlightSession> natives() {
    return natives;
  }

  boolean isAlive() {
    return server.isAlive();
  }

  private FlightSession session(String name, List<String> settings) {
    return new FlightSession(name, server.port(), settings);
  }

  @Override
  public void close() {
    natives.forEach(FlightSession::close);
    reference.close();
    server.close();
  }

  /** Removes what a table left. */
  static void deleteRecursively(Path path) {
    if (!Files.exists(path)) {
      return;
    }
    try (Stream<Path> paths = Files.walk(path)) {
      for (Path each : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
