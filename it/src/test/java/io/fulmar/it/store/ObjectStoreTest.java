package io.fulmar.it.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fulmar.it.client.JdbcClient;
import io.fulmar.it.client.SqlFailure;
import io.fulmar.it.golden.GoldenFixtures;
import io.fulmar.it.golden.GoldenSample;
import io.fulmar.it.server.ServerProcess;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Golden tables read from an S3 server over HTTP, metadata and data alike. */
class ObjectStoreTest {
  private static final GoldenSample SAMPLE = GoldenSample.of(GoldenSample.CASES);

  @Test
  void goldenTablesOnS3(@TempDir Path folder) {
    try (S3Store store =
            S3Store.start(S3Store.Access.ANYONE, GoldenFixtures.folder(), GoldenSample.CASES);
        ServerProcess server =
            ServerProcess.start(folder, catalogs(folder, store.endpoint()), List.of());
        JdbcClient client = JdbcClient.connect(server.port(), "s3")) {
      SAMPLE.register(client, "golden");
      assertEquals("", String.join("\n", SAMPLE.problems(client, "golden")));
    }
  }

  @Test
  void keyOfNobodyIsRefused(@TempDir Path folder) {
    try (S3Store store =
            S3Store.start(S3Store.Access.KEY_HOLDER, GoldenFixtures.folder(), List.of("C001"));
        ServerProcess server =
            ServerProcess.start(folder, catalogs(folder, store.endpoint()), List.of());
        JdbcClient client = JdbcClient.connect(server.port(), "s3")) {
      client.update("CREATE SCHEMA golden.s");
      String metadata = "s3://fixtures/C001/t/metadata/v3.metadata.json";
      SqlFailure failure =
          assertThrows(
              SqlFailure.class,
              () ->
                  client.update(
                      "CALL system.register_table('golden', 's', 't', '%s')".formatted(metadata)));
      assertTrue(failure.getMessage().contains("STORAGE_FAILED"), failure.getMessage());
      assertTrue(failure.getMessage().contains(metadata), failure.getMessage());
    }
  }

  static String catalogs(Path folder, String endpoint) {
    return """
        catalogs:
          golden:
            type: jdbc
            properties:
              uri: "jdbc:sqlite:%s/golden.db"
              warehouse: "s3://fixtures/warehouse"
              io-impl: org.apache.iceberg.aws.s3.S3FileIO
              s3.endpoint: "%s"
              s3.path-style-access: "true"
              s3.access-key-id: test
              s3.secret-access-key: test
              client.region: us-east-1
        """
        .formatted(folder.toAbsolutePath(), endpoint);
  }
}
