package io.fulmar.it.golden;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/** The golden tables, unpacked once from the archive beside the tests. */
public final class GoldenFixtures {
  private static final Path ARCHIVE = Path.of("src/test/resources/golden/fixtures.tar.xz");
  private static final Path FOLDER = Path.of("target/golden");
  private static final ObjectMapper JSON = new ObjectMapper();

  private GoldenFixtures() {}

  /** The folder that {@code s3://fixtures/} stands for. */
  public static synchronized Path folder() {
    Path fixtures = FOLDER.resolve("fixtures").toAbsolutePath();
    try {
      String stamp = Files.getLastModifiedTime(ARCHIVE) + " " + Files.size(ARCHIVE);
      Path stampFile = FOLDER.resolve("stamp");
      if (!Files.exists(stampFile) || !Files.readString(stampFile).equals(stamp)) {
        unpack();
        Files.writeString(stampFile, stamp);
      }
      return fixtures;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Every case of index.json in its order. */
  public static List<GoldenCase> cases() {
    try {
      List<GoldenCase> cases = new ArrayList<>();
      for (JsonNode entry : JSON.readTree(folder().resolve("index.json").toFile())) {
        Path file = folder().resolve(entry.get("id").asText()).resolve("case.json");
        cases.add(GoldenCase.parse(JSON.readTree(file.toFile())));
      }
      return cases;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ids of the cases that say they are of a rule, by the rule. */
  public static Map<String, List<String>> casesByRule() {
    Map<String, List<String>> cases = new TreeMap<>();
    try {
      for (JsonNode entry : JSON.readTree(folder().resolve("index.json").toFile())) {
        String id = entry.get("id").asText();
        Path file = folder().resolve(id).resolve("case.json");
        for (JsonNode rule : JSON.readTree(file.toFile()).path("rules")) {
          cases.computeIfAbsent(rule.asText(), key -> new ArrayList<>()).add(id);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return cases;
  }

  private static void unpack() throws IOException {
    Files.createDirectories(FOLDER);
    try (InputStream file = new BufferedInputStream(Files.newInputStream(ARCHIVE));
        TarArchiveInputStream tar =
            new TarArchiveInputStream(new XZCompressorInputStream(file), "UTF-8")) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        Path target = FOLDER.resolve(entry.getName()).normalize();
        if (!target.startsWith(FOLDER)) {
          throw new IOException("The archive holds a path outside: " + entry.getName());
        }
        if (entry.isDirectory()) {
          Files.createDirectories(target);
        } else {
          Files.createDirectories(target.toAbsolutePath().getParent());
          Files.copy(tar, target, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
  }
}
