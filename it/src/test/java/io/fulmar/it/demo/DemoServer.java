package io.fulmar.it.demo;

import io.fulmar.it.client.JdbcClient;
import io.fulmar.it.server.ServerProcess;
import java.nio.file.Path;
import java.util.List;

/** The embedded default with the demo warehouse, made once for all tests of a build. */
public final class DemoServer {
  private static final Path HOME = Path.of("target/demo-home");
  private static ServerProcess running;

  private DemoServer() {}

  /** Starts the server at the first call; it ends with the test JVM. */
  public static synchronized ServerProcess shared() {
    if (running == null) {
      running = ServerProcess.demo(HOME, List.of());
      Runtime.getRuntime().addShutdownHook(new Thread(running::close));
    }
    return running;
  }

  public static JdbcClient jdbc(String user) {
    return JdbcClient.connect(shared().port(), user);
  }

  /** The folder of a table's data files. */
  public static Path dataFolder(String schema, String table) {
    shared();
    return HOME.toAbsolutePath()
        .resolve("warehouse")
        .resolve(schema)
        .resolve(table)
        .resolve("data");
  }
}
