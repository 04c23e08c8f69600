package io.fulmar.it.client;

import java.sql.Array;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;

/** The stock Arrow Flight SQL JDBC driver. */
public final class JdbcClient implements SqlClient {
  private final Connection connection;

  private JdbcClient(Connection connection) {
    this.connection = connection;
  }

  /** Opens a session of its own for the user. */
  public static JdbcClient connect(int port, String user) {
    Properties properties = new Properties();
    properties.setProperty("user", user);
    properties.setProperty("password", "");
    properties.setProperty("useEncryption", "false");
    try {
      return new JdbcClient(DriverManager.getConnection(url(port), properties));
    } catch (SQLException e) {
      throw new SqlFailure(e.getMessage(), e);
    }
  }

  public static String url(int port) {
    return "jdbc:arrow-flight-sql://127.0.0.1:" + port;
  }

  public Connection connection() {
    return connection;
  }

  @Override
  public String name() {
    return "jdbc";
  }

  @Override
  public QueryResult query(String sql) {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return read(rows);
    } catch (SQLException | RuntimeException e) {
      throw failure(e);
    }
  }

  @Override
  public void update(String sql) {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    } catch (SQLException | RuntimeException e) {
      throw failure(e);
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  /** All rows of a result set. */
  public static QueryResult read(ResultSet rows) throws SQLException {
    ResultSetMetaData metadata = rows.getMetaData();
    List<QueryResult.Column> columns = new ArrayList<>();
    for (int i = 1; i <= metadata.getColumnCount(); i++) {
      columns.add(
          new QueryResult.Column(metadata.getColumnLabel(i), metadata.getColumnTypeName(i)));
    }
    List<List<Object>> values = new ArrayList<>();
    while (rows.next()) {
      List<Object> row = new ArrayList<>();
      for (int i = 1; i <= columns.size(); i++) {
        row.add(cell(rows, i, metadata.getColumnType(i)));
      }
      values.add(row);
    }
    return new QueryResult(values.isEmpty() ? once(columns) : columns, values);
  }

  /**
   * Driver 18.3.0 names the columns of a result without rows twice over (apache/arrow-java issue
   * 44).
   */
  private static List<QueryResult.Column> once(List<QueryResult.Column> columns) {
    int half = columns.size() / 2;
    boolean doubled =
        columns.size() % 2 == 0
            && columns.subList(0, half).equals(columns.subList(half, columns.size()));
    return doubled ? columns.subList(0, half) : columns;
  }

  /** Times with a zone or none are read as text: the driver's getObject shifts or refuses them. */
  private static Object cell(ResultSet rows, int column, int type) throws SQLException {
    return switch (type) {
      case Types.TIMESTAMP, Types.TIMESTAMP_WITH_TIMEZONE, Types.DATE, Types.TIME ->
          rows.getString(column);
      default -> plain(rows.getObject(column));
    };
  }

  private static Object plain(Object value) throws SQLException {
    if (value instanceof Array array) {
      return new ArrayList<>(Arrays.asList((Object[]) array.getArray()));
    }
    return value;
  }

  private static SqlFailure failure(Exception e) {
    StringBuilder text = new StringBuilder();
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      text.append(cause.getMessage()).append('\n');
    }
    return new SqlFailure(text.toString(), e);
  }
}
