package io.fulmar.server.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class StatementSplitterTest {
  @Test
  void cutsAtSemicolons() {
    assertEquals(List.of("SELECT 1", "SELECT\n2"), StatementSplitter.split("SELECT 1;\nSELECT\n2"));
  }

  @Test
  void keepsThoseInQuotesAndComments() {
    String script =
        "SELECT ';''; ', \"a;b\" -- ; no\n FROM t /* ; \n ; */ WHERE a - b / c > 1; SELECT 2;";

    assertEquals(
        List.of(
            "SELECT ';''; ', \"a;b\" -- ; no\n FROM t /* ; \n ; */ WHERE a - b / c > 1",
            "SELECT 2"),
        StatementSplitter.split(script));
  }

  @Test
  void leavesOutWhatHasNoStatement() {
    assertEquals(List.of(), StatementSplitter.split(" ; -- nothing\n; /* nothing */ ;\n"));
  }

  @Test
  void unfinishedQuotesGoToTheServer() {
    assertEquals(List.of("SELECT 'a; b"), StatementSplitter.split("SELECT 'a; b"));
  }
}
