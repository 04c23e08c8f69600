package io.fulmar.it.golden;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fulmar.it.client.JdbcClient;
import io.fulmar.it.client.SqlClient;
import io.fulmar.it.client.SqlFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * What all commits of a table inserted, less what they deleted, is the table: for golden tables
 * with every kind of delete, compaction, evolution and rewritten history, whose rows other tests
 * check.
 */
class TableChangesTest {
  private static final List<String> CASES =
      List.of("C002", "C016", "C021", "C030", "C048", "C049", "C070", "F01", "S01", "S02");

  /** Tables whose first snapshots are gone, whose rows cannot be compared, or that are broken. */
  private static final Set<String> UNDERSTOOD =
      Set.of("UNKNOWN_SNAPSHOT", "UNSUPPORTED_SQL", "INVALID_METADATA");

  @Test
  void changesAddUpToTheTable() throws IOException {
    int compared = 0;
    List<String> problems = new ArrayList<>();
    try (GoldenServer server = GoldenServer.start(Path.of("target/changes-server"));
        SqlClient client = JdbcClient.connect(server.process().port(), "changes")) {
      for (GoldenCase golden : GoldenFixtures.cases()) {
        if (CASES.stream().anyMatch(golden.id()::startsWith)) {
          for (String table : golden.tables().keySet()) {
            compared += compare(client, golden.id(), table, problems);
          }
        }
      }
    }
    assertEquals(List.of(), problems);
    assertTrue(compared > 20, "only " + compared + " tables were compared");
  }

  private static int compare(SqlClient client, String schema, String table, List<String> problems) {
    String name = "golden.\"%s\".\"%s\"".formatted(schema, table);
    try {
      List<String> columns =
          client.query("DESCRIBE " + name).rows().stream()
              .map(row -> "\"" + row.get(0).toString().replace("\"", "\"\"") + "\"")
              .toList();
      String all = String.join(", ", columns);
      String changes = "TABLE(system.table_changes('%s', NULL, 'main'))".formatted(name);
      String sum =
          "SELECT %1$s FROM %2$s WHERE _change_type = 'insert' EXCEPT ALL SELECT %1$s FROM %2$s WHERE _change_type = 'delete'"
              .formatted(all, changes);
      String rows = "SELECT %s FROM %s".formatted(all, name);
      String missing = count(client, "(%s) EXCEPT ALL (%s)".formatted(rows, sum));
      String excess = count(client, "(%s) EXCEPT ALL (%s)".formatted(sum, rows));
      if (!missing.equals("0") || !excess.equals("0")) {
        problems.add("%s: %s rows missing, %s too many".formatted(name, missing, excess));
      }
      return 1;
    } catch (SqlFailure failure) {
      if (UNDERSTOOD.stream().noneMatch(failure.getMessage()::contains)) {
        problems.add(name + ": " + failure.getMessage());
      }
      return 0;
    }
  }

  private static String count(SqlClient client, String query) {
    return client.query("SELECT count(*) FROM (" + query + ")").rows().get(0).get(0).toString();
  }
}
