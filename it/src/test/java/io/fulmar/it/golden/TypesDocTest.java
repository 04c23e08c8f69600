package io.fulmar.it.golden;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fulmar.it.client.JdbcClient;
import io.fulmar.it.client.SqlClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.JDBCType;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The table of docs/types.md is what a server says, cell by cell. */
class TypesDocTest {
  private static final String NESTED = "S12-c109-c112-c114-c153-nested";

  /** A golden column of each Iceberg type. */
  private static final Map<String, String> COLUMNS = new LinkedHashMap<>();

  static {
    for (String name : List.of("boolean:bool", "int", "long", "float", "double")) {
      String[] parts = name.split(":");
      COLUMNS.put(parts[0], "c_" + parts[parts.length - 1] + " FROM golden.\"C114\".t");
    }
    COLUMNS.put("decimal(9,2)", "c_dec9 FROM golden.\"C114\".t");
    COLUMNS.put("date", "c_date FROM golden.\"C114\".t");
    COLUMNS.put("time", "c_time FROM golden.\"C114\".t");
    COLUMNS.put("timestamp", "c_ts FROM golden.\"C114\".t");
    COLUMNS.put("timestamptz", "c_tstz FROM golden.\"C114\".t");
    COLUMNS.put("timestamp_ns", "ns FROM golden.\"C113\".t");
    COLUMNS.put("timestamptz_ns", "nz FROM golden.\"C113\".t");
    COLUMNS.put("string", "c_string FROM golden.\"C114\".t");
    COLUMNS.put("uuid", "c_uuid FROM golden.\"C114\".t");
    COLUMNS.put("fixed(3)", "c_fixed FROM golden.\"C114\".t");
    COLUMNS.put("binary", "c_binary FROM golden.\"C114\".t");
    COLUMNS.put("unknown", "u FROM golden.\"C084\".t");
    COLUMNS.put("list", "c_list FROM golden.\"C114\".t");
    COLUMNS.put("struct", "s FROM golden.\"" + NESTED + "\".deep_parquet_mor");
    COLUMNS.put("map", "c_map FROM golden.\"C114\".t");
  }

  @Test
  void everyCellOfTheTableIsTrue() throws IOException, SQLException {
    List<String> documented = documentedRows();
    List<String> actual = new ArrayList<>();
    try (GoldenServer server = GoldenServer.start(Path.of("target/types-server"));
        SqlClient adbc = server.connect("adbc", "types");
        JdbcClient jdbc = JdbcClient.connect(server.process().port(), "types")) {
      for (Map.Entry<String, String> column : COLUMNS.entrySet()) {
        String sql = "SELECT " + column.getValue() + " LIMIT 1";
        String arrow = adbc.query(sql).columns().get(0).type();
        actual.add(
            row(column.getKey(), sqlType(jdbc, column.getValue()), arrow, jdbcType(jdbc, sql)));
      }
    }
    assertEquals(String.join("\n", documented), String.join("\n", actual));
  }

  private static String row(String... cells) {
    return "| " + String.join(" | ", cells) + " |";
  }

  /** As DESCRIBE says it. */
  private static String sqlType(JdbcClient client, String column) {
    String[] parts = column.split(" FROM ");
    return client.query("DESCRIBE " + parts[1]).rows().stream()
        .filter(row -> row.get(0).equals(parts[0]))
        .map(row -> row.get(1).toString())
        .findFirst()
        .orElseThrow();
  }

  private static String jdbcType(JdbcClient client, String sql) throws SQLException {
    try (Statement statement = client.connection().createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      ResultSetMetaData metadata = rows.getMetaData();
      return JDBCType.valueOf(metadata.getColumnType(1)).getName();
    }
  }

  private static List<String> documentedRows() throws IOException {
    return Files.readAllLines(Path.of("..", "docs", "types.md")).stream()
        .filter(line -> line.startsWith("| ") && !line.startsWith("| Iceberg"))
        .toList();
  }
}
