package io.fulmar.it.store;

import io.fulmar.it.client.PythonEnvironment;
import io.fulmar.it.server.ServerProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** An S3 server in a process of its own, whose bucket {@code fixtures} holds golden cases. */
public final class S3Store implements AutoCloseable {
  private final Process process;
  private final int port;
  private final String key;
  private final String secret;

  private S3Store(Process process, int port, String key, String secret) {
    this.process = process;
    this.port = port;
    this.key = key;
    this.secret = secret;
  }

  /** Who may read. */
  public enum Access {
    ANYONE,
    /** Only who signs with {@link #key()}. */
    KEY_HOLDER
  }

  /** Starts a server and uploads the cases. */
  public static S3Store start(Access access, Path fixtures, List<String> cases) {
    List<String> command =
        new ArrayList<>(
            List.of(PythonEnvironment.python().toString(), "src/test/python/s3_server.py"));
    if (access == Access.KEY_HOLDER) {
      command.add("--keys");
    }
    command.add(fixtures.toString());
    command.addAll(cases);
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
      String line = output.readLine();
      if (line == null) {
        throw new IOException("The S3 server did not start");
      }
      String[] words = line.strip().split(" ", 3);
      return new S3Store(process, Integer.parseInt(words[0]), words[1], words[2]);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public String endpoint() {
    return "http://127.0.0.1:" + port;
  }

  public String key() {
    return key;
  }

  public String secret() {
    return secret;
  }

  @Override
  public void close() {
    ServerProcess.stop(process);
  }
}
