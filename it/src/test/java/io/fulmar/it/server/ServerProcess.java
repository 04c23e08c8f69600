package io.fulmar.it.server;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server of its own, started as a user would start it, on a free port of the loopback. */
public final class ServerProcess implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofSeconds(90);
  private static final String LIBRARY = "-Dfulmar.native.library=";
  private static final Duration DEMO_LIMIT = Duration.ofMinutes(4);

  private final Process process;
  private final int port;
  private final Path log;

  private ServerProcess(Process process, int port, Path log) {
    this.process = process;
    this.port = port;
    this.log = log;
  }

  /**
   * Starts a server and waits until it answers.
   *
   * @param folder for settings, log and data
   * @param catalogs the {@code catalogs:} part of the settings file
   * @param settings more arguments, as {@code --set} takes them
   */
  public static ServerProcess start(Path folder, String catalogs, List<String> settings) {
    try {
      Files.createDirectories(folder);
      Path config = folder.resolve("fulmar.yaml");
      Files.writeString(config, catalogs, StandardCharsets.UTF_8);
      return launch(
          folder, List.of("serve", "--config", config.toAbsolutePath().toString()), settings);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As {@link #start}, where the native library is not. */
  public static ServerProcess startWithoutLibrary(Path folder, String catalogs) {
    try {
      Files.createDirectories(folder);
      Path config = folder.resolve("fulmar.yaml");
      Files.writeString(config, catalogs, StandardCharsets.UTF_8);
      int port = freePort();
      List<String> command =
          command(
              List.of("serve", "--config", config.toAbsolutePath().toString()),
              port,
              folder,
              List.of());
      command.replaceAll(
          argument ->
              argument.startsWith(LIBRARY) ? LIBRARY + folder.resolve("none.so") : argument);
      return launch(command, port, folder.resolve("server.log"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Starts {@code fulmar demo} with its data under the folder, and waits until it says it is ready.
   */
  public static ServerProcess demo(Path folder, List<String> settings) {
    ServerProcess server = launch(folder, List.of("demo"), settings);
    Instant limit = Instant.now().plus(DEMO_LIMIT);
    try {
      while (!Files.readString(server.log).contains("Fulmar listens on")) {
        if (!server.isAlive() || Instant.now().isAfter(limit)) {
          server.process.destroyForcibly();
          throw new IllegalStateException("No demo:\n" + Files.readString(server.log));
        }
        pause();
      }
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ServerProcess launch(Path folder, List<String> command, List<String> settings) {
    try {
      Files.createDirectories(folder);
      int port = freePort();
      return launch(command(command, port, folder, settings), port, folder.resolve("server.log"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ServerProcess launch(List<String> command, int port, Path log) throws IOException {
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    ServerProcess server = new ServerProcess(process, port, log);
    server.awaitReady();
    return server;
  }

  /** What the server wrote so far. */
  public String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public int port() {
    return port;
  }

  public long pid() {
    return process.pid();
  }

  /** Resident memory in bytes, as the operating system counts it. */
  public long residentBytes() {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/" + process.pid() + "/status"))) {
        if (line.startsWith("VmRSS:")) {
          return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
        }
      }
      throw new IllegalStateException("No VmRSS of process " + process.pid());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(20, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IllegalStateException("The server did not stop in 20 s; log: " + log);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
    }
  }

  /** Ends another process that a test started, and waits until it has. */
  public static void stop(Process process) {
    process.destroy();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Java with the server's class path and main class; arguments follow. */
  public static List<String> javaCommand() {
    Path target = Path.of("..", "server", "target").toAbsolutePath().normalize();
    String classPath =
        target.resolve("classes")
            + File.pathSeparator
            + target.resolve("lib")
            + File.separator
            + "*";
    Path library = target.resolve("../../engine/target/native/libfulmar.so").normalize();
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "--add-opens=java.base/java.nio=ALL-UNNAMED",
        "-Dsun.jnu.encoding=UTF-8",
        LIBRARY + library,
        "-Xmx512m",
        "-XX:MaxDirectMemorySize=512m",
        "-Dfulmar.home=" + System.getProperty("java.io.tmpdir"),
        "-cp",
        classPath,
        "io.fulmar.server.Main");
  }

  private static List<String> command(
      List<String> arguments, int port, Path folder, List<String> settings) {
    List<String> command = new ArrayList<>(javaCommand());
    command.replaceAll(
        argument ->
            argument.startsWith("-Dfulmar.home=")
                ? "-Dfulmar.home=" + folder.toAbsolutePath()
                : argument);
    command.addAll(arguments);
    command.add("--set");
    command.add("server.port=" + port);
    for (String setting : settings) {
      command.add("--set");
      command.add(setting);
    }
    return command;
  }

  private void awaitReady() throws IOException {
    Instant limit = Instant.now().plus(START_LIMIT);
    while (Instant.now().isBefore(limit)) {
      if (!process.isAlive()) {
        throw new IOException(
            "The server ended with exit " + process.exitValue() + ":\n" + Files.readString(log));
      }
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress("127.0.0.1", port), 200);
        return;
      } catch (IOException notYet) {
        pause();
      }
    }
    process.destroyForcibly();
    throw new IOException("The server did not answer in " + START_LIMIT + "; log: " + log);
  }

  private static void pause() {
    try {
      Thread.sleep(100);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
