package io.fulmar.it.golden;

import io.fulmar.it.client.AdbcClient;
import io.fulmar.it.client.JdbcClient;
import io.fulmar.it.client.SqlClient;
import io.fulmar.it.server.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A server whose catalog {@code golden} holds every golden table under its case's schema. */
final class GoldenServer implements AutoCloseable {
  private final ServerProcess server;

  private GoldenServer(ServerProcess server) {
    this.server = server;
  }

  /** Starts with an empty folder. */
  static GoldenServer start(Path folder) throws IOException {
    deleteRecursively(folder);
    String fixtures = GoldenFixtures.folder().toString() + "/";
    String catalogs =
        """
        catalogs:
          golden:
            type: jdbc
            properties:
              uri: "jdbc:sqlite:%1$s/golden.db"
              warehouse: "file:%1$s/warehouse"
            path-mapping:
              "s3://fixtures/": "%2$s"
              "s3a://fixtures/": "%2$s"
              "file:/fixtures/": "%2$s"
              "file:///fixtures/": "%2$s"
              "/fixtures/": "%2$s"
        """
            .formatted(folder.toAbsolutePath(), fixtures);
    ServerProcess server =
        ServerProcess.start(folder, catalogs, List.of("memory.process-limit=6GB"));
    GoldenServer golden = new GoldenServer(server);
    golden.register();
    return golden;
  }

  ServerProcess process() {
    return server;
  }

  SqlClient connect(String client, String user) {
    return client.equals("jdbc")
        ? JdbcClient.connect(server.port(), user)
        : AdbcClient.connect(server.port(), user);
  }

  @Override
  public void close() {
    server.close();
  }

  private void register() {
    try (SqlClient client = connect("jdbc", "setup")) {
      for (GoldenCase golden : GoldenFixtures.cases()) {
        client.update("CREATE SCHEMA golden.\"" + golden.id() + "\"");
        golden.tables().forEach((name, path) -> register(client, "table", golden, name, path));
        golden.views().forEach((name, path) -> register(client, "view", golden, name, path));
      }
    }
  }

  private static void register(
      SqlClient client, String kind, GoldenCase golden, String name, String path) {
    client.update(
        "CALL system.register_%s('golden', '%s', '%s', '%s')"
            .formatted(kind, golden.id(), name.replace("'", "''"), path.replace("'", "''")));
  }

  private static void deleteRecursively(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (java.util.stream.Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
