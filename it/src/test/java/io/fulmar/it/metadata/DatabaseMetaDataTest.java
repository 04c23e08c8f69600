package io.fulmar.it.metadata;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fulmar.it.client.JdbcClient;
import io.fulmar.it.client.QueryResult;
import io.fulmar.it.demo.DemoServer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the driver's DatabaseMetaData, and so every BI tool, asks of the server. */
class DatabaseMetaDataTest {
  @Test
  void everyGetterWithoutParametersReturns() throws SQLException {
    try (JdbcClient client = DemoServer.jdbc("metadata")) {
      DatabaseMetaData metadata = client.connection().getMetaData();
      List<String> failures = new ArrayList<>();
      for (Method method : DatabaseMetaData.class.getMethods()) {
        if (method.getParameterCount() == 0) {
          try {
            Object value = method.invoke(metadata);
            if (value instanceof ResultSet rows) {
              rows.close();
            }
          } catch (IllegalAccessException | InvocationTargetException e) {
            failures.add(method.getName() + ": " + e.getCause());
          }
        }
      }
      assertTrue(failures.isEmpty(), () -> String.join("\n", failures));
    }
  }

  @Test
  void browsesFromCatalogsToColumns() throws SQLException {
    try (JdbcClient client = DemoServer.jdbc("metadata")) {
      DatabaseMetaData metadata = client.connection().getMetaData();
      assertTrue(firstColumn(metadata.getCatalogs()).contains("lake"));
      try (ResultSet schemas = metadata.getSchemas("lake", "%")) {
        QueryResult read = JdbcClient.read(schemas);
        assertTrue(read.rows().stream().anyMatch(row -> row.get(0).equals("tpch")), read::toString);
      }
      try (ResultSet tables = metadata.getTables("lake", "tpch", "part%", null)) {
        assertEquals(
            List.of("part", "partsupp"),
            JdbcClient.read(tables).rows().stream().map(row -> row.get(2)).toList());
      }
      try (ResultSet columns = metadata.getColumns("lake", "tpch", "lineitem", "%")) {
        QueryResult read = JdbcClient.read(columns);
        assertEquals(16, read.rows().size());
        assertEquals("l_orderkey", read.rows().get(0).get(3));
      }
      assertEquals(List.of(), firstColumn(metadata.getPrimaryKeys("lake", "tpch", "nation")));
      assertEquals(
          List.of("order_id"), fourthColumn(metadata.getPrimaryKeys("lake", "demo", "orders_cdc")));
      assertEquals(List.of(), firstColumn(metadata.getImportedKeys("lake", "tpch", "nation")));
    }
  }

  private static List<Object> firstColumn(ResultSet rows) throws SQLException {
    return column(rows, 0);
  }

  private static List<Object> fourthColumn(ResultSet rows) throws SQLException {
    return column(rows, 3);
  }

  private static List<Object> column(ResultSet rows, int index) throws SQLException {
    try (rows) {
      return JdbcClient.read(rows).rows().stream().map(row -> row.get(index)).toList();
    }
  }
}
