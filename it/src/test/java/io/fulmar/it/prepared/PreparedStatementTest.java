package io.fulmar.it.prepared;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fulmar.it.client.JdbcClient;
import io.fulmar.it.demo.DemoServer;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Calendar;
import java.util.List;
import java.util.TimeZone;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Parameters through the JDBC driver: typed, bound, bound again. */
class PreparedStatementTest {
  private static JdbcClient client;

  @BeforeAll
  static void open() {
    client = DemoServer.jdbc("prepared");
    client.update("USE tpch");
  }

  @AfterAll
  static void close() {
    client.close();
  }

  @Test
  void bindsAgainAfterExecuting() throws SQLException {
    try (PreparedStatement statement = prepare("SELECT n_name FROM nation WHERE n_nationkey = ?")) {
      statement.setLong(1, 7);
      assertEquals(List.of("GERMANY"), column(statement));
      assertEquals(List.of("GERMANY"), column(statement));
      statement.setLong(1, 6);
      assertEquals(List.of("FRANCE"), column(statement));
    }
  }

  @Test
  void bindsTextDateDecimalAndLists() throws SQLException {
    try (PreparedStatement statement = prepare("SELECT n_nationkey FROM nation WHERE n_name = ?")) {
      statement.setString(1, "GERMANY");
      assertEquals(List.of(7L), column(statement));
    }
    try (PreparedStatement statement =
        prepare("SELECT count(*) FROM orders WHERE o_orderdate = ?")) {
      statement.setDate(
          1,
          new Date(Instant.parse("1995-03-15T00:00:00Z").toEpochMilli()),
          Calendar.getInstance(TimeZone.getTimeZone("UTC")));
      assertTrue((Long) column(statement).get(0) > 0);
    }
    try (PreparedStatement statement =
        prepare("SELECT n_name FROM nation WHERE n_nationkey IN (?, ?) ORDER BY 1")) {
      statement.setLong(1, 6);
      statement.setLong(2, 7);
      assertEquals(List.of("FRANCE", "GERMANY"), column(statement));
    }
    try (PreparedStatement statement =
        prepare("SELECT n_nationkey FROM nation ORDER BY 1 LIMIT ?")) {
      statement.setLong(1, 2);
      assertEquals(List.of(0L, 1L), column(statement));
    }
  }

  @Test
  void keepsMillisecondsOfTimestamps() throws SQLException {
    try (PreparedStatement statement =
        prepare("SELECT count(*) FROM demo.events WHERE \"at\" < ?")) {
      statement.setTimestamp(
          1,
          new Timestamp(Instant.parse("2026-03-01T00:00:09Z").toEpochMilli()),
          Calendar.getInstance(TimeZone.getTimeZone("UTC")));
      assertEquals(List.of(2L), column(statement), "rows at 0, 4 and 8 s, the first deleted");
    }
  }

  @Test
  void nullMatchesNothing() throws SQLException {
    try (PreparedStatement statement = prepare("SELECT n_nationkey FROM nation WHERE n_name = ?")) {
      statement.setNull(1, Types.VARCHAR);
      assertEquals(List.of(), column(statement));
    }
  }

  @Test
  void twoResultsStayOpenOnOneConnection() throws SQLException {
    try (PreparedStatement first = prepare("SELECT n_nationkey FROM nation ORDER BY 1");
        PreparedStatement second = prepare("SELECT r_regionkey FROM region ORDER BY 1");
        ResultSet nations = first.executeQuery();
        ResultSet regions = second.executeQuery()) {
      assertTrue(nations.next());
      assertTrue(regions.next());
      assertTrue(nations.next());
      assertTrue(regions.next());
      assertEquals(1, nations.getLong(1));
      assertEquals(1, regions.getLong(1));
    }
  }

  @Test
  void unknownColumnFailsAtPrepareWithPosition() {
    SQLException failure =
        assertThrows(
            SQLException.class, () -> prepare("SELECT n_names FROM nation").executeQuery());
    String text = failure.toString() + failure.getCause();
    assertTrue(text.contains("UNKNOWN_COLUMN (42703)"), text);
    assertTrue(text.contains("line 1, column 8"), text);
    assertTrue(text.contains("n_name"), text);
  }

  @Test
  void announcesParameterTypes() throws SQLException {
    try (PreparedStatement statement =
        prepare("SELECT 1 FROM orders WHERE o_orderkey = ? AND o_comment LIKE ?")) {
      assertEquals(2, statement.getParameterMetaData().getParameterCount());
      assertEquals(Types.BIGINT, statement.getParameterMetaData().getParameterType(1));
      assertEquals(Types.VARCHAR, statement.getParameterMetaData().getParameterType(2));
    }
  }

  private static PreparedStatement prepare(String sql) throws SQLException {
    return client.connection().prepareStatement(sql);
  }

  private static List<Object> column(PreparedStatement statement) throws SQLException {
    try (ResultSet rows = statement.executeQuery()) {
      List<Object> values = new ArrayList<>();
      JdbcClient.read(rows).rows().forEach(row -> values.add(row.get(0)));
      return Arrays.asList(values.toArray());
    }
  }
}
