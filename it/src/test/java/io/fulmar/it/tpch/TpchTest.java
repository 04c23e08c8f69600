package io.fulmar.it.tpch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fulmar.it.client.JdbcClient;
import io.fulmar.it.client.QueryResult;
import io.fulmar.it.demo.DemoServer;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * All TPC-H queries give the rows that DuckDB gives over the same data files, also when little
 * memory makes them spill.
 */
class TpchTest {
  private static final List<String> TABLES =
      List.of("customer", "orders", "lineitem", "part", "partsupp", "supplier", "nation", "region");
  private static final BigDecimal TOLERANCE = new BigDecimal("1e-9");

  private static JdbcClient fulmar;
  private static Connection duckdb;

  @BeforeAll
  static void open() throws SQLException {
    fulmar = DemoServer.jdbc("tpch");
    fulmar.update("USE tpch");
    duckdb = DriverManager.getConnection("jdbc:duckdb:");
    try (Statement statement = duckdb.createStatement()) {
      for (String table : TABLES) {
        statement.execute(
            "CREATE VIEW %s AS SELECT * FROM read_parquet('%s/*.parquet')"
                .formatted(table, DemoServer.dataFolder("tpch", table)));
      }
    }
  }

  @AfterAll
  static void close() throws SQLException {
    fulmar.close();
    duckdb.close();
  }

  @ParameterizedTest
  @ValueSource(
      ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22})
  void givesTheRowsOfDuckDb(int number) throws IOException, SQLException {
    String sql = Files.readString(Path.of("src/test/resources/tpch/q%02d.sql".formatted(number)));
    QueryResult wanted;
    try (Statement statement = duckdb.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      wanted = JdbcClient.read(rows);
    }
    assertTrue(!wanted.rows().isEmpty(), "DuckDB gives no rows: the check would prove nothing");
    fulmar.update("SET memory.query-limit = '1GB'");
    assertSame(wanted, fulmar.query(sql));
    fulmar.update("SET memory.query-limit = '32MB'");
    assertSame(wanted, fulmar.query(sql));
  }

  private static void assertSame(QueryResult wanted, QueryResult actual) {
    assertEquals(
        wanted.columns().stream().map(QueryResult.Column::name).toList(),
        actual.columns().stream().map(QueryResult.Column::name).toList());
    assertEquals(wanted.rows().size(), actual.rows().size());
    for (int row = 0; row < wanted.rows().size(); row++) {
      for (int column = 0; column < wanted.columns().size(); column++) {
        Object right = wanted.rows().get(row).get(column);
        Object given = actual.rows().get(row).get(column);
        String where = "row " + row + ", column " + wanted.columns().get(column).name();
        assertTrue(
            same(right, given), () -> where + ": " + given + " where " + right + " is right");
      }
    }
  }

  /**
   * DuckDB gives averages and quotients as doubles, we as decimals: they are equal to the last
   * digit of ours.
   */
  private static boolean same(Object right, Object given) {
    if (right instanceof Double number) {
      BigDecimal exact = BigDecimal.valueOf(number);
      BigDecimal ours = new BigDecimal(given.toString());
      BigDecimal lastDigit = BigDecimal.ONE.movePointLeft(Math.min(ours.scale(), 12));
      BigDecimal allowed = exact.abs().multiply(TOLERANCE).max(lastDigit);
      return exact.subtract(ours).abs().compareTo(allowed) <= 0;
    }
    if (right instanceof Number) {
      return new BigDecimal(right.toString()).compareTo(new BigDecimal(given.toString())) == 0;
    }
    return String.valueOf(right).equals(String.valueOf(given));
  }
}
