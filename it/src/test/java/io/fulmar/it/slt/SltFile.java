package io.fulmar.it.slt;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A file of SQL cases in sqllogictest's form: {@code statement ok}, {@code statement error}, {@code
 * query} and {@code query sorted}, each followed by SQL, and after {@code ----} by the rows (cells
 * parted by a tab, NULL as NULL, an empty text as (empty)) or by a part of the error's text. Blank
 * lines part the cases; lines that begin with # are comments.
 */
final class SltFile {
  /** What a case asks for. */
  enum Kind {
    STATEMENT_OK("statement ok"),
    STATEMENT_ERROR("statement error"),
    QUERY("query"),
    QUERY_SORTED("query sorted");

    private final String header;

    Kind(String header) {
      this.header = header;
    }
  }

  /**
   * A case.
   *
   * @param comment lines before it, as they stand
   * @param expected lines after {@code ----}
   */
  record Case(List<String> comment, Kind kind, String sql, List<String> expected, int line) {
    Case withExpected(List<String> lines) {
      return new Case(comment, kind, sql, lines, line);
    }
  }

  private final Path path;
  private final List<Case> cases;

  private SltFile(Path path, List<Case> cases) {
    this.path = path;
    this.cases = cases;
  }

  List<Case> cases() {
    return cases;
  }

  static SltFile read(Path path) throws IOException {
    List<Case> cases = new ArrayList<>();
    List<String> block = new ArrayList<>();
    int start = 1;
    int line = 0;
    for (String text : Files.readAllLines(path, StandardCharsets.UTF_8)) {
      line++;
      if (text.isBlank()) {
        addCase(cases, block, start);
        block = new ArrayList<>();
        start = line + 1;
      } else {
        block.add(text);
      }
    }
    addCase(cases, block, start);
    return new SltFile(path, cases);
  }

  void write(List<Case> updated) throws IOException {
    StringBuilder text = new StringBuilder();
    for (Case one : updated) {
      if (!text.isEmpty()) {
        text.append('\n');
      }
      one.comment().forEach(comment -> text.append(comment).append('\n'));
      text.append(one.kind().header).append('\n').append(one.sql()).append('\n');
      if (one.kind() != Kind.STATEMENT_OK) {
        text.append("----\n");
        one.expected().forEach(row -> text.append(row).append('\n'));
      }
    }
    Files.writeString(path, text.toString(), StandardCharsets.UTF_8);
  }

  private static void addCase(List<Case> cases, List<String> block, int start) {
    if (block.isEmpty()) {
      return;
    }
    int header = 0;
    while (header < block.size() && block.get(header).startsWith("#")) {
      header++;
    }
    if (header == block.size()) {
      throw new IllegalArgumentException("A comment stands alone at line " + start);
    }
    int end = block.indexOf("----");
    List<String> sql = block.subList(header + 1, end < 0 ? block.size() : end);
    List<String> expected = end < 0 ? List.of() : block.subList(end + 1, block.size());
    cases.add(
        new Case(
            List.copyOf(block.subList(0, header)),
            kind(block.get(header)),
            String.join("\n", sql),
            List.copyOf(expected),
            start));
  }

  private static Kind kind(String header) {
    for (Kind kind : Kind.values()) {
      if (kind.header.equals(header.strip())) {
        return kind;
      }
    }
    throw new IllegalArgumentException("Not a kind of case: " + header);
  }
}
