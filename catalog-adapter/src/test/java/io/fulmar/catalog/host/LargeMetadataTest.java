package io.fulmar.catalog.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Metadata tables of 100,000 files are read in a heap of 96 MB, in a JVM of its own. */
@Tag("slow")
final class LargeMetadataTest {
  @TempDir private Path folder;

  @Test
  void aHundredThousandFilesFitASmallHeap() throws IOException, InterruptedException {
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    Path log = folder.resolve("log.txt");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx96m",
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "-cp",
                classPath,
                LargeMetadata.class.getName(),
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
