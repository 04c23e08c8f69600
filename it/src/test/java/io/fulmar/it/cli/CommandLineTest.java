package io.fulmar.it.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fulmar.it.demo.DemoServer;
import io.fulmar.it.server.ServerProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands as a person types them. */
class CommandLineTest {
  private static final String QUERY =
      "SELECT r_regionkey, r_name FROM tpch.region WHERE r_regionkey < 2 ORDER BY 1";

  @Test
  void printsTables() throws IOException, InterruptedException {
    Outcome outcome = sql("table", QUERY);
    assertEquals(0, outcome.exit(), outcome.toString());
    assertTrue(outcome.out().contains("r_regionkey"), outcome.toString());
    assertTrue(outcome.out().contains("AMERICA"), outcome.toString());
  }

  @Test
  void printsCsv() throws IOException, InterruptedException {
    Outcome outcome = sql("csv", QUERY);
    assertEquals("r_regionkey,r_name\n0,AFRICA\n1,AMERICA\n", outcome.out().replace("\r", ""));
  }

  @Test
  void printsJson() throws IOException, InterruptedException {
    Outcome outcome = sql("json", QUERY);
    assertTrue(outcome.out().contains("\"r_name\":\"AFRICA\""), outcome.toString());
  }

  @Test
  void showsWhereAStatementIsWrong() throws IOException, InterruptedException {
    Outcome outcome = sql("table", "SELECT r_nam FROM tpch.region");
    assertNotEquals(0, outcome.exit());
    assertTrue(outcome.err().contains("UNKNOWN_COLUMN (42703)"), outcome.toString());
    assertTrue(outcome.err().contains("line 1, column 8"), outcome.toString());
    assertTrue(outcome.err().contains("^"), outcome.toString());
  }

  @Test
  void reportsAllProblemsOfASettingsFileTogether(@TempDir Path folder)
      throws IOException, InterruptedException {
    Path config = folder.resolve("fulmar.yaml");
    Files.writeString(
        config,
        """
        server: { port: many, hots: 127.0.0.1 }
        memory: { query-limit: 12XB }
        """,
        StandardCharsets.UTF_8);
    Outcome outcome = run(List.of("serve", "--config", config.toString()));
    assertNotEquals(0, outcome.exit());
    assertTrue(outcome.err().contains("server.port"), outcome.toString());
    assertTrue(outcome.err().contains("server.hots"), outcome.toString());
    assertTrue(outcome.err().contains("server.host"), outcome.toString());
    assertTrue(outcome.err().contains("memory.query-limit"), outcome.toString());
  }

  private static Outcome sql(String format, String sql) throws IOException, InterruptedException {
    String url = "grpc://127.0.0.1:" + DemoServer.shared().port();
    return run(List.of("sql", "--url", url, "--format", format, sql));
  }

  private static Outcome run(List<String> arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(ServerProcess.javaCommand());
    command.addAll(arguments);
    Path out = Files.createTempFile("fulmar", ".out");
    Path err = Files.createTempFile("fulmar", ".err");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    process.getOutputStream().close();
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IOException("The command did not end: " + command);
    }
    return new Outcome(process.exitValue(), Files.readString(out), Files.readString(err));
  }

  private record Outcome(int exit, String out, String err) {}
}
