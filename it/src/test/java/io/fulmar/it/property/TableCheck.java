package io.fulmar.it.property;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Asks all queries over one random table, in all ways that matter, and tells what is wrong. */
final class TableCheck {
  private static final int SHOWN = 6;

  /** One of so many queries that the model answers is asked of the reference backend too. */
  private static final int REFERENCE_SHARE = 4;

  private final PropertyServer server;
  private int made;

  TableCheck(PropertyServer server) {
    this.server = server;
  }

  /** Empty if all is right, else seed, script, query and difference. */
  Optional<String> problem(long seed) {
    // One seed may come twice: among those that failed once, and by chance.
    String name = "t%d_%d".formatted(Math.abs(seed), made++);
    Path folder = server.folder().resolve("tables").resolve(name);
    RandomTable table;
    try {
      table = RandomTable.make(seed, folder);
    } catch (IllegalStateException e) {
      return Optional.of("generator: " + e.getMessage() + "\n" + e.getCause());
    }
    String sqlName = "prop.s." + name;
    server
        .reference()
        .update(
            "CALL system.register_table('prop', 's', '%s', '%s')"
                .formatted(name, table.metadataLocation()));
    Random random = new Random(seed ^ 0x5eed);
    RandomQueries queries = new RandomQueries(random, table, sqlName);
    List<String> problems = new ArrayList<>();
    check(queries.all(), everyForm(random), problems);
    for (RandomQueries.Query query : queries.some()) {
      boolean known = query.rows().isPresent();
      if (known && random.nextInt(REFERENCE_SHARE) > 0) {
        ask(query, query.rows(), List.of(anyNative(random)), problems);
      } else {
        check(query, List.of(anyNative(random)), problems);
      }
    }
    if (problems.isEmpty()) {
      PropertyServer.deleteRecursively(folder);
      return Optional.empty();
    }
    return Optional.of(
        "seed %d\n%s\n%s".formatted(seed, table.script(), String.join("\n", problems)));
  }

  /** One session of each delete form; threads and budget vary from table to table. */
  private List<FlightSession> everyForm(Random random) {
    List<FlightSession> sessions = new ArrayList<>();
    for (int form = 0; form < 3; form++) {
      sessions.add(server.natives().get(form * 4 + random.nextInt(4)));
    }
    return sessions;
  }

  private FlightSession anyNative(Random random) {
    return server.natives().get(random.nextInt(server.natives().size()));
  }

  /** Asks the reference backend first, whose rows count where the model has none. */
  private void check(
      RandomQueries.Query query, List<FlightSession> natives, List<String> problems) {
    FlightSession.Answer oracle = server.reference().query(query.sql());
    Optional<List<List<String>>> rows = query.rows();
    if (rows.isPresent()) {
      difference(query, rows.get(), oracle)
          .ifPresent(text -> problems.add(told("reference", query, text)));
      ask(query, rows, natives, problems);
      return;
    }
    if (oracle.failed()) {
      for (FlightSession session : natives) {
        String code = code(session.query(query.sql()));
        if (!code.equals(code(oracle))) {
          problems.add(told(session.name(), query, code + " where " + oracle.error()));
        }
      }
      return;
    }
    for (FlightSession.Answer answer : ask(query, Optional.of(oracle.rows()), natives, problems)) {
      if (!answer.failed() && !oracle.schema().equals(answer.schema())) {
        problems.add(told("native", query, oracle.schema() + " became " + answer.schema()));
      }
    }
  }

  private List<FlightSession.Answer> ask(
      RandomQueries.Query query,
      Optional<List<List<String>>> rows,
      List<FlightSession> sessions,
      List<String> problems) {
    List<FlightSession.Answer> answers = new ArrayList<>();
    for (FlightSession session : sessions) {
      FlightSession.Answer answer = session.query(query.sql());
      answers.add(answer);
      rows.flatMap(right -> difference(query, right, answer))
          .ifPresent(text -> problems.add(told(session.name(), query, text)));
    }
    return answers;
  }

  private static String told(String session, RandomQueries.Query query, String text) {
    return "%s: %s\n    %s".formatted(session, query.sql(), text);
  }

  private static String code(FlightSession.Answer answer) {
    return answer.error().replaceAll("(?s)^.*?([A-Z]+(_[A-Z]+)+ \\([0-9A-Z]{5}\\)).*$", "$1");
  }

  private static Optional<String> difference(
      RandomQueries.Query query, List<List<String>> wanted, FlightSession.Answer answer) {
    if (answer.failed()) {
      return Optional.of("failed: " + answer.error());
    }
    List<String> right = lines(query, wanted);
    List<String> got = lines(query, answer.rows());
    if (right.equals(got)) {
      return Optional.empty();
    }
    List<String> missing = new ArrayList<>(right);
    got.forEach(missing::remove);
    List<String> extra = new ArrayList<>(got);
    right.forEach(extra::remove);
    return Optional.of(
        "%d rows where %d are right; missing %s; extra %s"
            .formatted(
                got.size(),
                right.size(),
                missing.subList(0, Math.min(SHOWN, missing.size())),
                extra.subList(0, Math.min(SHOWN, extra.size()))));
  }

  private static List<String> lines(RandomQueries.Query query, List<List<String>> rows) {
    List<String> lines = new ArrayList<>(rows.stream().map(Object::toString).toList());
    if (!query.ordered()) {
      Collections.sort(lines);
    }
    return lines;
  }
}
