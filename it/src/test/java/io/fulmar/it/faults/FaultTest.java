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

  /** One fault of one file, in a copy of its table that a catalog of its own shows. */
  private record Patient(String catalog, String table, String file, Fault fault) {}

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
    try (JdbcClient client = JdbcClient.connect(server.port(), "faults")) {
      List<String> right = rows(client, healthy(table), table);
      Set<String> needed = needed(client, healthy(table));
      for (Patient patient : patients) {
        if (patient.table().equals(table)) {
          verdict(client, patient, right, needed).ifPresent(problems::add);
        }
      }
      assertEquals(right, rows(client, healthy(table)), "after all faults");
    }
  }

  private static java.util.Optional<String> verdict(
      JdbcClient client, Patient patient, List<String> right, Set<String> needed) {
    String name = Path.of(patient.file()).getFileName().toString();
    String problem;
    try {
      List<String> rows = rows(client, patient.catalog(), patient.table());
      boolean same = rows.equals(right);
      boolean unnoticed = needed.contains(name) && !patient.fault().mayStayUnseen();
      boolean checksum = name.endsWith(".puffin");
      if (same && !unnoticed) {
        return java.util.Optional.empty();
      }
      if (!same && patient.fault().mayStayUnseen() && !checksum) {
        return java.util.Optional.empty();
      }
      problem = same ? "the fault was not noticed" : "gave " + rows + " instead of " + right;
    } catch (SqlFailure failure) {
      String text = failure.getMessage();
      boolean fault =
          text.contains("INTERNAL_ERROR") || text.contains("PANIC") || !text.contains(" (");
      if (!fault && text.contains(name)) {
        return java.util.Optional.empty();
      }
      problem = text.lines().findFirst().orElse("");
    }
    return java.util.Optional.of(
        "%s %s %s: %s".formatted(patient.table(), patient.file(), patient.fault(), problem));
  }

  /** Registers the table of a catalog and reads it whole. */
  private static List<String> rows(JdbcClient client, String catalog, String table) {
    String[] parts = table.split("/", 2);
    client.update("CREATE SCHEMA IF NOT EXISTS " + catalog + ".s");
    client.update(
        "CALL system.register_table('%s', 's', 't', '%s')"
            .formatted(catalog, metadata(parts[0], parts[1])));
    return rows(client, catalog);
  }

  private static List<String> rows(JdbcClient client, String catalog) {
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
        String catalog = "f" + (first + patients.size());
        Path target = folder.resolve(catalog).resolve(table);
        copy(source, target);
        fault.inflict(target.resolve(file), source.resolve(other(source, files, file)));
        patients.add(new Patient(catalog, table, file.toString(), fault));
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
    return java.util.Objects.requireNonNull(any, "A table of one file");
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
    return "h_" + table.replace('/', '_').toLowerCase(java.util.Locale.ROOT);
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
