package io.fulmar.catalog.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A million manifest entries are planned in a heap of 512 MB, in a JVM of its own. */
@Tag("slow")
final class LargePlanTest {
  @TempDir private Path folder;

  @Test
  void aMillionEntriesFitHalfAGigabyte() throws IOException, InterruptedException {
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    Path log = folder.resolve("log.txt");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-cp",
                classPath,
                LargePlan.class.getName(),
                folder.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      boolean ended = process.waitFor(10, TimeUnit.MINUTES);
      List<String> lines = Files.readAllLines(log);
      assertEquals(true, ended, () -> "still running: " + lines);
      assertEquals(0, process.exitValue(), () -> String.join("\n", lines));
    } finally {
      process.destroyForcibly();
    }
  }
}
