package io.fulmar.it.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fulmar.it.client.JdbcClient;
import io.fulmar.it.client.SqlFailure;
import io.fulmar.it.golden.GoldenCase;
import io.fulmar.it.golden.GoldenFixtures;
import io.fulmar.it.server.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each file of a table in turn is missing, cut, another, or differs in a bit: an error that names
 * the file, or the right rows where the file is not needed or the change cannot be seen; never
 * other rows where a checksum or a count tells, never a fault of the server.
 */
class FaultTest {
  private static final List<String> TABLES =
      List.of("C001/t", "C001/t_orc", "C001/t_avro", "C030/t", "C030/t_orc", "C046/t");

  /** Bits that a checksum covers are flipped in at least so many files. */
  private static final int MIN_COVERED = 10;

  /**
   * One fault of one file, in a copy of its table that a catalog of its own shows.
   *
   * @param covered whether a checksum must tell of it
   */
  private record Patient(String catalog, String table, String file, Fault fault, boolean covered) {
    String name() {
      return Path.of(file).getFileName().toString();
    }
  }

  /** Files that a table needs, and its rows. */
  private record Healthy(List<String> rows, Set<String> needed) {}

  @TempDir private static Path folder;

  @Test
  void everyFile() throws IOException {
    List<Patient> patients = new ArrayList<>();
    for (String table : TABLES) {
      patients.addAll(patients(table, patients.size()));
    }
    StringBuilder catalogs = new StringBuilder("catalogs:\n");
    patients.forEach(patient -> catalogs.append(catalog(patient.catalog())));
    TABLES.forEach(table -> catalogs.append(catalog(healthy(table))));
    assertTrue(patients.stream().filter(Patient::covered).count() >= MIN_COVERED);
    List<String> problems = new ArrayList<>();
    try (ServerProcess server =
        ServerProcess.start(
            folder.resolve("server"), catalogs.toString(), List.of("query.timeout=30s"))) {
      for (String table : TABLES) {
        examine(server, table, patients, problems);
      }
      assertTrue(server.isAlive());
    }
    assertEquals("", String.join("\n", problems), () -> "of " + patients.size() + " faults");
  }

  private static void examine(
      ServerProcess server, String table, List<Patient> patients, List<String> problems) {
    try (JdbcClient client = JdbcClient.connect(server.port(), "faults");
        JdbcClient reference = JdbcClient.connect(server.port(), "reference")) {
      reference.update("SET engine.backend = 'reference'");
      register(client, healthy(table), table);
      Healthy healthy = new Healthy(rows(client, table), needed(client, healthy(table)));
      assertEquals(healthy.rows(), rows(reference, table));
      for (Patient patient : patients) {
        if (patient.table().equals(table)) {
          Optional<String> unregistered = registration(client, patient);
          if (unregistered.isPresent()) {
            unregistered.filter(text -> !text.isEmpty()).ifPresent(problems::add);
          } else {
            verdict(client, patient, healthy).ifPresent(text -> problems.add("native " + text));
            verdict(reference, patient, healthy)
                .ifPresent(text -> problems.add("reference " + text));
          }
        }
      }
      assertEquals(healthy.rows(), rows(client, table), "after all faults");
    }
  }

  /** Nothing if the table could be registered, an empty text if not and rightly so. */
  private static Optional<String> registration(JdbcClient client, Patient patient) {
    try {
      register(client, patient.catalog(), patient.table());
      return Optional.empty();
    } catch (SqlFailure failure) {
      return Optional.of(problem(patient, failure).orElse(""));
    }
  }

  private static Optional<String> verdict(JdbcClient client, Patient patient, Healthy healthy) {
    try {
      List<String> rows = rows(client, patient);
      boolean same = rows.equals(healthy.rows());
      boolean mustTell =
          healthy.needed().contains(patient.name()) && !patient.fault().mayStayUnseen();
      if (same && mustTell) {
        return Optional.of(text(patient, "the fault was not noticed"));
      }
      return same || (patient.fault().mayStayUnseen() && !patient.covered())
          ? Optional.empty()
          : Optional.of(text(patient, "gave " + rows + " instead of " + healthy.rows()));
    } catch (SqlFailure failure) {
      return problem(patient, failure);
    }
  }

  private static Optional<String> problem(Patient patient, SqlFailure failure) {
    String text = failure.getMessage();
    boolean fault =
        text.contains("INTERNAL_ERROR") || text.contains("PANIC") || !text.contains(" (");
    return fault || !text.contains(patient.name())
        ? Optional.of(text(patient, text.lines().findFirst().orElse("")))
        : Optional.empty();
  }

  private static String text(Patient patient, String problem) {
    return "%s %s %s: %s".formatted(patient.table(), patient.file(), patient.fault(), problem);
  }

  private static void register(JdbcClient client, String catalog, String table) {
    String[] parts = table.split("/", 2);
    client.update("CREATE SCHEMA IF NOT EXISTS " + catalog + ".s");
    client.update(
        "CALL system.register_table('%s', 's', 't', '%s')"
            .formatted(catalog, metadata(parts[0], parts[1])));
  }

  private static List<String> rows(JdbcClient client, Patient patient) {
    return rowsOf(client, patient.catalog());
  }

  private static List<String> rows(JdbcClient client, String healthyTable) {
    return rowsOf(client, healthy(healthyTable));
  }

  private static List<String> rowsOf(JdbcClient client, String catalog) {
    return client.query("SELECT * FROM " + catalog + ".s.t").rows().stream()
        .map(List::toString)
        .sorted()
        .toList();
  }

  /** Names of the files that the current snapshot is made of. */
  private static Set<String> needed(JdbcClient client, String catalog) {
    Set<String> names = new HashSet<>();
    for (String sql :
        List.of(
            "SELECT path FROM %s.s.\"t$manifests\"",
            "SELECT file_path FROM %s.s.\"t$files\"",
            "SELECT manifest_list FROM %s.s.\"t$snapshots\" ORDER BY committed_at DESC LIMIT 1")) {
      client.query(sql.formatted(catalog)).rows().stream()
          .map(row -> Path.of(row.get(0).toString()).getFileName().toString())
          .forEach(names::add);
    }
    return names;
  }

  private static List<Patient> patients(String table, int first) throws IOException {
    Path source = GoldenFixtures.folder().resolve(table);
    copy(source, folder.resolve(healthy(table)).resolve(table));
    List<Path> files;
    try (Stream<Path> paths = Files.walk(source)) {
      files = paths.filter(Files::isRegularFile).map(source::relativize).sorted().toList();
    }
    List<Patient> patients = new ArrayList<>();
    for (Path file : files) {
      for (Fault fault : Fault.values()) {
        if (!fault.concerns(source.resolve(file))) {
          continue;
        }
        String catalog = "f" + (first + patients.size());
        Path target = folder.resolve(catalog).resolve(table);
        copy(source, target);
        boolean covered =
            fault.inflict(target.resolve(file), source.resolve(other(source, files, file)));
        patients.add(new Patient(catalog, table, file.toString(), fault, covered));
      }
    }
    return patients;
  }

  /**
   * The next file of another length, of the same kind if there is one: of one file for another of
   * the same length and number of rows the format tells nothing.
   */
  private static Path other(Path source, List<Path> files, Path file) throws IOException {
    String suffix = suffix(file);
    int at = files.indexOf(file);
    Path any = null;
    for (int i = 1; i < files.size(); i++) {
      Path candidate = files.get((at + i) % files.size());
      if (Files.size(source.resolve(candidate)) != Files.size(source.resolve(file))) {
        if (suffix(candidate).equals(suffix)) {
          return candidate;
        }
        any = any == null ? candidate : any;
      }
    }
    return Objects.requireNonNull(any, "A table of one file");
  }

  private static String suffix(Path file) {
    String name = file.toString();
    return name.substring(name.lastIndexOf('.'));
  }

  private static String metadata(String id, String name) {
    GoldenCase golden =
        GoldenFixtures.cases().stream()
            .filter(one -> one.id().equals(id))
            .findFirst()
            .orElseThrow();
    return golden.tables().get(name);
  }

  private static String healthy(String table) {
    return "h_" + table.replace('/', '_').toLowerCase(Locale.ROOT);
  }

  private static String catalog(String name) {
    return "  %s: { type: in-memory, path-mapping: { \"s3://fixtures/\": \"%s/\" } }\n"
        .formatted(name, folder.resolve(name).toAbsolutePath());
  }

  private static void copy(Path source, Path target) throws IOException {
    List<Path> paths;
    try (Stream<Path> walked = Files.walk(source)) {
      paths = walked.toList();
    }
    for (Path path : paths) {
      Path to = target.resolve(source.relativize(path).toString());
      if (Files.isDirectory(path)) {
        Files.createDirectories(to);
      } else {
        Files.copy(path, to);
      }
    }
  }
}
