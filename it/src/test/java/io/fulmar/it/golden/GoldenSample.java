package io.fulmar.it.golden;

import io.fulmar.it.client.SqlClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Some golden cases, for tests of what lies between the server and the tables. */
public final class GoldenSample {
  /** Parquet, ORC and Avro; equality deletes, position deletes and vectors; Flink's and Java's. */
  public static final List<String> CASES =
      List.of("C001", "C046", "F01-c017-upsert-same-key-thrice", "F05-c004-orc-upsert");

  private final List<GoldenCase> cases;

  private GoldenSample(List<GoldenCase> cases) {
    this.cases = cases;
  }

  /** The cases of these ids. */
  public static GoldenSample of(List<String> ids) {
    return new GoldenSample(
        GoldenFixtures.cases().stream().filter(each -> ids.contains(each.id())).toList());
  }

  /** Registers the cases' tables in a catalog, each case in a schema of its name. */
  public void register(SqlClient client, String catalog) {
    for (GoldenCase golden : cases) {
      client.update("CREATE SCHEMA %s.\"%s\"".formatted(catalog, golden.id()));
      for (Map.Entry<String, String> table : golden.tables().entrySet()) {
        client.update(
            "CALL system.register_table('%s', '%s', '%s', '%s')"
                .formatted(catalog, golden.id(), table.getKey(), table.getValue()));
      }
    }
  }

  /** Asks every check. */
  public List<String> problems(SqlClient client, String catalog) {
    GoldenChecker checker = new GoldenChecker(client);
    List<String> problems = new ArrayList<>();
    for (GoldenCase golden : cases) {
      client.update("USE %s.\"%s\"".formatted(catalog, golden.id()));
      golden
          .checks()
          .forEach(
              check ->
                  checker
                      .problem(check)
                      .ifPresent(text -> problems.add(check.sql() + ": " + text)));
    }
    return problems;
  }
}
