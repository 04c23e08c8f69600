package io.fulmar.it.slt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fulmar.it.client.JdbcClient;
import io.fulmar.it.client.QueryResult;
import io.fulmar.it.client.SqlFailure;
import io.fulmar.it.demo.DemoServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * SQL behaviour through the JDBC driver, over the demo warehouse. {@code
 * -Dfulmar.golden.update=true} rewrites the expected rows with the actual ones: read the difference
 * before committing it.
 */
class SltTest {
  private static final Path FOLDER = Path.of("src/test/resources/slt");
  private static final boolean UPDATE = Boolean.getBoolean("fulmar.golden.update");

  @TestFactory
  Stream<DynamicTest> everyFile() throws IOException {
    try (Stream<Path> files = Files.walk(FOLDER)) {
      return files.filter(file -> file.toString().endsWith(".slt")).sorted().toList().stream()
          .map(
              file -> DynamicTest.dynamicTest(FOLDER.relativize(file).toString(), () -> run(file)));
    }
  }

  private static void run(Path path) throws IOException {
    SltFile file = SltFile.read(path);
    List<SltFile.Case> actual = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    try (JdbcClient client = DemoServer.jdbc("slt")) {
      for (SltFile.Case one : file.cases()) {
        actual.add(ask(client, one, problems));
      }
    }
    if (UPDATE) {
      file.write(actual);
    } else {
      assertTrue(problems.isEmpty(), () -> path + "\n" + String.join("\n", problems));
      assertEquals(file.cases(), actual);
    }
  }

  private static SltFile.Case ask(JdbcClient client, SltFile.Case one, List<String> problems) {
    String where = "line " + one.line() + ": " + one.sql();
    try {
      if (one.kind() == SltFile.Kind.STATEMENT_OK) {
        client.update(one.sql());
        return one;
      }
      QueryResult result = client.query(one.sql());
      if (one.kind() == SltFile.Kind.STATEMENT_ERROR) {
        problems.add(where + "\n  gave rows where an error is right");
        return one.withExpected(List.of("no error"));
      }
      return one.withExpected(rows(result, one.kind()));
    } catch (SqlFailure failure) {
      return failed(one, failure, where, problems);
    }
  }

  private static SltFile.Case failed(
      SltFile.Case one, SqlFailure failure, String where, List<String> problems) {
    String message = failure.getMessage();
    if (one.kind() != SltFile.Kind.STATEMENT_ERROR) {
      problems.add(where + "\n  failed: " + message);
      return one.withExpected(List.of("failed: " + message.strip().replaceAll("\\s*\\R\\s*", " ")));
    }
    List<String> missing = one.expected().stream().filter(part -> !message.contains(part)).toList();
    if (missing.isEmpty() && !one.expected().isEmpty()) {
      return one;
    }
    problems.add(where + "\n  the error lacks " + missing + ": " + message);
    return one.withExpected(
        message
            .lines()
            .map(String::stripTrailing)
            .filter(line -> !line.isBlank())
            .limit(3)
            .toList());
  }

  private static List<String> rows(QueryResult result, SltFile.Kind kind) {
    List<String> lines = new ArrayList<>();
    for (List<Object> row : result.rows()) {
      lines.add(String.join("\t", row.stream().map(SltTest::text).toList()));
    }
    if (kind == SltFile.Kind.QUERY_SORTED) {
      Collections.sort(lines);
    }
    return lines;
  }

  private static String text(Object value) {
    if (value == null) {
      return "NULL";
    }
    if (value instanceof byte[] bytes) {
      return "0x" + java.util.HexFormat.of().formatHex(bytes);
    }
    String text = value.toString().replace("\n", "\\n").replace("\t", "\\t");
    return text.isEmpty() ? "(empty)" : text;
  }
}
