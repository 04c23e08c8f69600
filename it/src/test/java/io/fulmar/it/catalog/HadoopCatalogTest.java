package io.fulmar.it.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fulmar.it.client.JdbcClient;
import io.fulmar.it.client.SqlFailure;
import io.fulmar.it.server.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.hadoop.HadoopCatalog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables of a folder, which another process writes while the server reads. */
class HadoopCatalogTest {
  private static final String ROWS = "SELECT id, name FROM lake.ns.t ORDER BY id";

  @Test
  void readsWhatOthersCommit(@TempDir Path folder) throws IOException, SQLException {
    String warehouse = "file:" + folder.toAbsolutePath() + "/warehouse";
    try (HadoopCatalog catalog = new HadoopCatalog(new Configuration(), warehouse);
        ServerProcess server = server(folder, warehouse);
        JdbcClient client = JdbcClient.connect(server.port(), "hadoop")) {
      catalog.createNamespace(Namespace.of("ns"));
      OutsideWriter writer = OutsideWriter.create(catalog, TableIdentifier.of("ns", "t"));
      assertEquals(List.of(), client.query(ROWS).rows());
      writer.upsert(Map.of(1L, "a", 2L, "b"));
      assertEquals(List.of(List.of(1L, "a"), List.of(2L, "b")), client.query(ROWS).rows());
      writer.upsert(Map.of(2L, "c"));
      assertEquals(List.of(List.of(1L, "a"), List.of(2L, "c")), client.query(ROWS).rows());
      try (ResultSet tables =
          client.connection().getMetaData().getTables("lake", "ns", "%", null)) {
        assertEquals("t", JdbcClient.read(tables).rows().get(0).get(2));
      }

      assertFalse(catalog.listTables(Namespace.of("ns")).isEmpty());
      catalog.dropTable(TableIdentifier.of("ns", "t"));
      SqlFailure gone = assertThrows(SqlFailure.class, () -> client.query(ROWS));
      assertTrue(gone.getMessage().contains("UNKNOWN_TABLE"), gone.getMessage());

      client.update("CREATE SCHEMA lake.other");
      assertEquals(
          List.of(Namespace.of("ns"), Namespace.of("other")),
          catalog.listNamespaces().stream()
              .sorted(Comparator.comparing(Namespace::toString))
              .toList());
      client.update("DROP SCHEMA lake.other");
    }
  }

  private static ServerProcess server(Path folder, String warehouse) {
    return ServerProcess.start(
        folder,
        """
        catalogs:
          lake:
            type: hadoop
            properties: { warehouse: "%s" }
        """
            .formatted(warehouse),
        List.of());
  }
}
