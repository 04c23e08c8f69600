package io.fulmar.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a program in a JVM of its own, with a small heap. */
public final class SmallHeap {
  private SmallHeap() {}

  /**
   * Runs the program to its end, which must be a good one.
   *
   * @param heap as {@code -Xmx} takes it
   * @param program whose argument is the folder
   */
  public static void run(String heap, Class<?> program, Path folder)
      throws IOException, InterruptedException {
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    Path log = folder.resolve("log.txt");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heap,
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "-cp",
                classPath,
                program.getName(),
                folder.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      boolean ended = process.waitFor(10, TimeUnit.MINUTES);
      List<String> lines = Files.readAllLines(log);
      assertTrue(ended, () -> "still running: " + lines);
      assertEquals(0, process.exitValue(), () -> String.join("\n", lines));
    } finally {
      process.destroyForcibly();
    }
  }
}
