package io.fulmar.it.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The stock ADBC driver in a Python process; see {@code adbc_client.py} for the form of cells. */
public final class AdbcClient implements SqlClient {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Process process;
  private final BufferedWriter requests;
  private final BufferedReader answers;

  private AdbcClient(Process process) {
    this.process = process;
    this.requests = process.outputWriter(StandardCharsets.UTF_8);
    this.answers = process.inputReader(StandardCharsets.UTF_8);
  }

  /** Opens a session of its own for the user. */
  public static AdbcClient connect(int port, String user) {
    Path script = Path.of("src/test/python/adbc_client.py").toAbsolutePath();
    try {
      Process process =
          new ProcessBuilder(PythonEnvironment.python().toString(), script.toString())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      AdbcClient client = new AdbcClient(process);
      ObjectNode connect = JSON.createObjectNode();
      connect.put("op", "connect").put("uri", "grpc+tcp://127.0.0.1:" + port).put("user", user);
      client.ask(connect);
      return client;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String name() {
    return "adbc";
  }

  @Override
  public QueryResult query(String sql) {
    JsonNode answer = ask(JSON.createObjectNode().put("op", "query").put("sql", sql));
    List<QueryResult.Column> columns = new ArrayList<>();
    for (JsonNode column : answer.get("columns")) {
      columns.add(new QueryResult.Column(column.get("name").asText(), column.get("type").asText()));
    }
    List<List<Object>> rows = new ArrayList<>();
    for (JsonNode row : answer.get("rows")) {
      List<Object> cells = new ArrayList<>();
      row.forEach(cell -> cells.add(cell.isNull() ? null : cell));
      rows.add(cells);
    }
    return new QueryResult(columns, rows);
  }

  @Override
  public void update(String sql) {
    ask(JSON.createObjectNode().put("op", "update").put("sql", sql));
  }

  @Override
  public void close() {
    process.destroy();
  }

  private synchronized JsonNode ask(ObjectNode request) {
    try {
      requests.write(JSON.writeValueAsString(request));
      requests.newLine();
      requests.flush();
      String line = answers.readLine();
      if (line == null) {
        throw new SqlFailure("The ADBC process ended: exit " + process.waitFor());
      }
      JsonNode answer = JSON.readTree(line);
      if (answer.has("error")) {
        throw new SqlFailure(answer.get("error").asText());
      }
      return answer;
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
