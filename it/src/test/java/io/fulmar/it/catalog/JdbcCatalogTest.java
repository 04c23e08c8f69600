package io.fulmar.it.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fulmar.it.client.JdbcClient;
import io.fulmar.it.golden.GoldenFixtures;
import io.fulmar.it.golden.GoldenSample;
import io.fulmar.it.server.ServerProcess;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables of a JDBC catalog in PostgreSQL, shared by two servers. */
class JdbcCatalogTest {
  private static final GoldenSample SAMPLE = GoldenSample.of(GoldenSample.CASES);

  @Test
  void goldenTablesInPostgres(@TempDir Path folder) throws IOException, SQLException {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start();
        ServerProcess first = server(folder.resolve("first"), postgres);
        ServerProcess second = server(folder.resolve("second"), postgres);
        JdbcClient writer = JdbcClient.connect(first.port(), "first");
        JdbcClient reader = JdbcClient.connect(second.port(), "second")) {
      SAMPLE.register(writer, "lake");
      assertEquals("", String.join("\n", SAMPLE.problems(writer, "lake")));
      assertEquals("", String.join("\n", SAMPLE.problems(reader, "lake")));

      writer.update("CREATE SCHEMA lake.passing");
      assertEquals(1, schemas(reader));
      writer.update("DROP SCHEMA lake.passing");
      assertEquals(0, schemas(reader));
    }
  }

  private static int schemas(JdbcClient client) throws SQLException {
    try (ResultSet schemas = client.connection().getMetaData().getSchemas("lake", "passing")) {
      return JdbcClient.read(schemas).rows().size();
    }
  }

  private static ServerProcess server(Path folder, EmbeddedPostgres postgres) {
    return ServerProcess.start(
        folder,
        """
        catalogs:
          lake:
            type: jdbc
            properties:
              uri: "jdbc:postgresql://127.0.0.1:%d/postgres"
              jdbc.user: postgres
              jdbc.password: postgres
              warehouse: "file:%s/warehouse"
            path-mapping: { "s3://fixtures/": "%s/" }
        """
            .formatted(postgres.getPort(), folder.toAbsolutePath(), GoldenFixtures.folder()),
        List.of());
  }
}
