package io.fulmar.it.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A virtual environment with the pinned Python clients, made once under the user's cache folder (or
 * where {@code FULMAR_TEST_VENV} says).
 */
public final class PythonEnvironment {
  private static final Path REQUIREMENTS = Path.of("src/test/python/requirements.txt");

  private PythonEnvironment() {}

  /** The interpreter; makes the environment if it is not there or its requirements changed. */
  public static synchronized Path python() {
    Path home =
        Optional.ofNullable(System.getenv("FULMAR_TEST_VENV"))
            .map(Path::of)
            .orElse(Path.of(System.getProperty("user.home"), ".cache", "fulmar", "test-venv"));
    Path python = home.resolve("bin").resolve("python");
    try {
      Files.createDirectories(home.toAbsolutePath().getParent());
      Path lockFile = home.resolveSibling(home.getFileName() + ".lock");
      try (FileChannel channel =
              FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          FileLock lock = channel.lock()) {
        Path stamp = home.resolve("requirements.txt");
        String wanted = Files.readString(REQUIREMENTS, StandardCharsets.UTF_8);
        if (!lock.isValid() || !Files.exists(stamp) || !Files.readString(stamp).equals(wanted)) {
          run(List.of("python3", "-m", "venv", "--clear", home.toString()));
          run(
              List.of(
                  python.toString(),
                  "-m",
                  "pip",
                  "install",
                  "--quiet",
                  "-r",
                  REQUIREMENTS.toString()));
          Files.writeString(stamp, wanted, StandardCharsets.UTF_8);
        }
      }
      return python;
    } catch (IOException e) {
      throw new UncheckedIOException("Python 3 with venv is needed for the ADBC tests", e);
    }
  }

  private static void run(List<String> command) throws IOException {
    Process process = new ProcessBuilder(command).inheritIO().start();
    try {
      if (!process.waitFor(10, TimeUnit.MINUTES) || process.exitValue() != 0) {
        process.destroyForcibly();
        throw new IOException("Failed: " + String.join(" ", command));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }
}
