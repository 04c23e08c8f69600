package io.fulmar.it.golden;

import java.util.ArrayList;
import java.util.List;

/**
 * One way to ask all golden checks.
 *
 * @param deleteForm {@code scan.delete-form}
 * @param queryLimit {@code memory.query-limit}
 * @param threads {@code engine.threads}
 * @param splitSize {@code scan.split-size}
 * @param client {@code jdbc} or {@code adbc}
 * @param backend {@code engine.backend}
 */
record GoldenRun(
    String deleteForm,
    String queryLimit,
    int threads,
    String splitSize,
    String client,
    String backend) {
  private static final List<List<String>> FORMS =
      List.of(
          List.of("auto", "1GB"),
          List.of("auto", "32MB"),
          List.of("set", "1GB"),
          List.of("merge", "1GB"));
  private static final List<Integer> THREADS = List.of(2, 1);
  private static final List<String> SPLITS = List.of("128MB", "64KB");
  private static final List<String> CLIENTS = List.of("jdbc", "adbc");

  GoldenRun(String deleteForm, String queryLimit, int threads, String splitSize, String client) {
    this(deleteForm, queryLimit, threads, splitSize, client, "native");
  }

  /** The reference backend, which knows neither delete forms nor budgets of bytes. */
  static GoldenRun reference() {
    return new GoldenRun("auto", "1GB", 1, "128MB", "adbc", "reference");
  }

  /** By what the list of known failures tells runs apart. */
  String key() {
    return backend.equals("reference") ? backend : client;
  }

  /** Each pair of values of any two factors occurs in one of these runs at least. */
  static List<GoldenRun> pairwise() {
    List<GoldenRun> runs = new ArrayList<>();
    for (int form = 0; form < FORMS.size(); form++) {
      for (int thread = 0; thread < THREADS.size(); thread++) {
        int split = (form + thread) % SPLITS.size();
        int client = (form / 2 + thread) % CLIENTS.size();
        runs.add(run(form, thread, split, client));
      }
    }
    return runs;
  }

  /** Every combination. */
  static List<GoldenRun> full() {
    List<GoldenRun> runs = new ArrayList<>();
    for (int form = 0; form < FORMS.size(); form++) {
      for (int thread = 0; thread < THREADS.size(); thread++) {
        for (int split = 0; split < SPLITS.size(); split++) {
          for (int client = 0; client < CLIENTS.size(); client++) {
            runs.add(run(form, thread, split, client));
          }
        }
      }
    }
    return runs;
  }

  /** The SET statements that bring a session to this run. */
  List<String> statements() {
    return List.of(
        "SET scan.delete-form = '" + deleteForm + "'",
        "SET memory.query-limit = '" + queryLimit + "'",
        "SET engine.threads = " + threads,
        "SET scan.split-size = '" + splitSize + "'",
        "SET engine.backend = '" + backend + "'");
  }

  private static GoldenRun run(int form, int thread, int split, int client) {
    return new GoldenRun(
        FORMS.get(form).get(0),
        FORMS.get(form).get(1),
        THREADS.get(thread),
        SPLITS.get(split),
        CLIENTS.get(client));
  }

  @Override
  public String toString() {
    return "%s backend, %s, delete form %s, limit %s, %d threads, splits of %s"
        .formatted(backend, client, deleteForm, queryLimit, threads, splitSize);
  }
}
