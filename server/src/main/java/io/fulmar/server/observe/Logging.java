package io.fulmar.server.observe;

import java.util.logging.Level;
import java.util.logging.Logger;

/** How much is logged; logback's configuration reads the property. */
public final class Logging {
  private static final String LEVEL = "fulmar.log.level";

  /** Kept, as loggers are held weakly. */
  private static final Logger TRANSPORT = Logger.getLogger("io.grpc.netty.NettyServerHandler");

  private Logging() {}

  /** Leaves out the stack traces that gRPC writes whenever a client goes away. */
  public static void calm() {
    TRANSPORT.setLevel(Level.SEVERE);
  }

  /**
   * Leaves out what is not a warning, unless the level was chosen. Call before the first log line.
   */
  public static void quiet() {
    if (System.getProperty(LEVEL) == null) {
      System.setProperty(LEVEL, "WARN");
    }
  }
}
