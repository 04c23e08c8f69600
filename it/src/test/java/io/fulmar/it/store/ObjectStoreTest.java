package io.fulmar.it.golden;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fulmar.it.client.JdbcClient;
import io.fulmar.it.client.PythonEnvironment;
import io.fulmar.it.server.ServerProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Golden tables read from an S3 server over HTTP, metadata and data alike. */
class ObjectStoreTest {
  private static final List<String> CASES =
      List.of("C001", "C046", "F01-c017-upsert-same-key-thrice", "F05-c004-orc-upsert");

  @Test
  void goldenTablesOnS3(@TempDir Path folder) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                PythonEnvironment.python().toString(),
                "src/test/python/s3_server.py",
                GoldenFixtures.folder().toString()));
    command.addAll(CASES);
    Process store =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    try (BufferedReader output = store.inputReader(StandardCharsets.UTF_8)) {
      int port = Integer.parseInt(output.readLine().strip());
      try (ServerProcess server = ServerProcess.start(folder, catalogs(folder, port), List.of())) {
        checkAll(server);
      }
    } finally {
      store.destroy();
      store.waitFor();
    }
  }

  private static void checkAll(ServerProcess server) {
    List<String> problems = new ArrayList<>();
    try (JdbcClient client = JdbcClient.connect(server.port(), "s3")) {
      GoldenChecker checker = new GoldenChecker(client);
      for (GoldenCase golden : GoldenFixtures.cases()) {
        if (CASES.contains(golden.id())) {
          client.update("CREATE SCHEMA golden.\"" + golden.id() + "\"");
          client.update("USE golden.\"" + golden.id() + "\"");
          for (Map.Entry<String, String> table : golden.tables().entrySet()) {
            client.update(
                "CALL system.register_table('golden', '%s', '%s', '%s')"
                    .formatted(golden.id(), table.getKey(), table.getValue()));
          }
          golden
              .checks()
              .forEach(
                  check ->
                      checker
                          .problem(check)
                          .ifPresent(text -> problems.add(check.sql() + ": " + text)));
        }
      }
    }
    assertTrue(problems.isEmpty(), () -> String.join("\n", problems));
  }

  private static String catalogs(Path folder, int port) throws IOException {
    Files.createDirectories(folder);
    return """
        catalogs:
          golden:
            type: jdbc
            properties:
              uri: "jdbc:sqlite:%s/golden.db"
              warehouse: "s3://fixtures/warehouse"
              io-impl: org.apache.iceberg.aws.s3.S3FileIO
              s3.endpoint: "http://127.0.0.1:%d"
              s3.path-style-access: "true"
              s3.access-key-id: test
              s3.secret-access-key: test
              client.region: us-east-1
        """
        .formatted(folder.toAbsolutePath(), port);
  }
}
