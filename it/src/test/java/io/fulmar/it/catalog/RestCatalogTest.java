package io.fulmar.it.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fulmar.it.client.JdbcClient;
import io.fulmar.it.client.SqlFailure;
import io.fulmar.it.golden.GoldenFixtures;
import io.fulmar.it.golden.GoldenSample;
import io.fulmar.it.server.ServerProcess;
import io.fulmar.it.store.S3Store;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tables of a REST catalog that wants OAuth2 tokens, on a store that wants signatures whose key
 * only the catalog gives out.
 */
class RestCatalogTest {
  private static final GoldenSample SAMPLE = GoldenSample.of(GoldenSample.CASES);

  private static final String CLIENT = "fulmar";
  private static final String SECRET = "s3cr+t/=";

  @TempDir(cleanup = org.junit.jupiter.api.io.CleanupMode.NEVER)
  private static Path folder;

  private static S3Store store;
  private static RestCatalogServer rest;
  private static OAuthGate gate;

  @BeforeAll
  static void start() throws IOException {
    store = S3Store.start(S3Store.Access.KEY_HOLDER, GoldenFixtures.folder(), GoldenSample.CASES);
    try (ServerSocket free = new ServerSocket(0)) {
      int port = free.getLocalPort();
      free.close();
      rest = RestCatalogServer.start(folder.resolve("rest"), port, store);
    }
    gate = OAuthGate.open(rest.uri(), CLIENT, SECRET);
  }

  @AfterAll
  static void stop() {
    gate.close();
    rest.close();
    store.close();
  }

  @Test
  void goldenTablesWithVendedCredentials() {
    try (ServerProcess server = server("vended", CLIENT + ":" + SECRET);
        JdbcClient client = JdbcClient.connect(server.port(), "rest")) {
      SAMPLE.register(client, "lake");
      assertEquals("", String.join("\n", SAMPLE.problems(client, "lake")));
      client.update("SET engine.backend = 'reference'");
      assertEquals("", String.join("\n", SAMPLE.problems(client, "lake")));
      assertTrue(gate.given() > 0);

      client.update("CREATE VIEW lake.\"C001\".v AS SELECT count(*) AS n FROM lake.\"C001\".t");
      assertEquals(
          client.query("SELECT count(*) FROM lake.\"C001\".t").rows(),
          client.query("SELECT n FROM lake.\"C001\".v").rows());
      client.update("DROP VIEW lake.\"C001\".v");

      client.update("CREATE SCHEMA lake.empty");
      client.update("DROP SCHEMA lake.empty");
      SqlFailure gone =
          assertThrows(SqlFailure.class, () -> client.query("SELECT * FROM lake.\"C001\".nothing"));
      assertTrue(gone.getMessage().contains("nothing"), gone.getMessage());
    }
  }

  @Test
  void wrongSecretIsAnErrorThatNamesTheCatalog() {
    int before = gate.refused();
    try (ServerProcess server = server("wrong", CLIENT + ":wrong");
        JdbcClient client = JdbcClient.connect(server.port(), "rest")) {
      SqlFailure failure =
          assertThrows(SqlFailure.class, () -> client.query("SELECT * FROM lake.s.t"));
      assertTrue(failure.getMessage().contains("CATALOG_FAILED"), failure.getMessage());
      assertTrue(failure.getMessage().contains("lake"), failure.getMessage());
      assertTrue(gate.refused() > before);
    }
  }

  @Test
  void missingMetadataFileIsNamedAndNothingIsRegistered() {
    try (ServerProcess server = server("missing", CLIENT + ":" + SECRET);
        JdbcClient client = JdbcClient.connect(server.port(), "rest")) {
      client.update("CREATE SCHEMA lake.other");
      SqlFailure failure =
          assertThrows(
              SqlFailure.class,
              () ->
                  client.update(
                      "CALL system.register_table('lake', 'other', 't', 's3://fixtures/none.json')"));
      assertTrue(failure.getMessage().contains("s3://fixtures/none.json"), failure.getMessage());
      assertFalse(failure.getMessage().contains("INTERNAL_ERROR"), failure.getMessage());
      client.update("DROP SCHEMA lake.other");
    }
  }

  private static ServerProcess server(String name, String credential) {
    return ServerProcess.start(
        folder.resolve(name),
        """
        catalogs:
          lake:
            type: rest
            properties:
              uri: "%s"
              credential: "%s"
              header.X-Iceberg-Access-Delegation: vended-credentials
              s3.endpoint: "%s"
              s3.path-style-access: "true"
              client.region: us-east-1
        """
            .formatted(gate.uri(), credential, store.endpoint()),
        List.of());
  }
}
