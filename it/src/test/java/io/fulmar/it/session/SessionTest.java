package io.fulmar.it.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fulmar.it.client.AdbcClient;
import io.fulmar.it.client.JdbcClient;
import io.fulmar.it.client.QueryResult;
import io.fulmar.it.client.SqlClient;
import io.fulmar.it.client.SqlFailure;
import io.fulmar.it.demo.DemoServer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** USE and SET belong to one session, whichever client opened it. */
class SessionTest {
  @Test
  void useAndSetStayInTheirSession() {
    try (JdbcClient one = DemoServer.jdbc("alice");
        JdbcClient other = DemoServer.jdbc("alice")) {
      one.update("USE lake.tpch");
      assertEquals("25", first(one, "SELECT count(*) FROM nation"));
      SqlFailure failure =
          assertThrows(SqlFailure.class, () -> other.query("SELECT count(*) FROM nation"));
      assertTrue(failure.getMessage().contains("UNKNOWN_TABLE"), failure.getMessage());
    }
  }

  @Test
  void adbcSessionsKeepTheirSchema() {
    int port = DemoServer.shared().port();
    try (SqlClient one = AdbcClient.connect(port, "bob");
        SqlClient other = AdbcClient.connect(port, "bob")) {
      one.update("USE lake.tpch");
      assertEquals("5", first(one, "SELECT count(*) FROM region"));
      assertThrows(SqlFailure.class, () -> other.query("SELECT count(*) FROM region"));
    }
  }

  @Test
  void settingsShowUpInTheSessionOnly() {
    try (JdbcClient one = DemoServer.jdbc("carol");
        JdbcClient other = DemoServer.jdbc("carol")) {
      one.update("SET scan.delete-form = 'merge'");
      first(one, "SELECT count(*) FROM demo.orders_cdc");
      first(other, "SELECT count(*) FROM demo.orders_cdc");
      QueryResult forms =
          one.query(
              "SELECT delete_forms FROM system.runtime.queries WHERE \"user\" = 'carol'"
                  + " AND sql LIKE 'SELECT count(*) FROM demo%' ORDER BY started");
      assertTrue(forms.rows().get(0).get(0).toString().contains("merge"), forms::toString);
      assertTrue(forms.rows().get(1).get(0).toString().contains("set"), forms::toString);
    }
  }

  private static String first(SqlClient client, String sql) {
    List<List<Object>> rows = client.query(sql).rows();
    return rows.get(0).get(0).toString();
  }
}
