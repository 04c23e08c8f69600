package io.fulmar.server.observe;

/** How much is logged; logback's configuration reads the property. */
public final class Logging {
  private static final String LEVEL = "fulmar.log.level";

  private Logging() {}

  /**
   * Leaves out what is not a warning, unless the level was chosen. Call before the first log line.
   */
  public static void quiet() {
    if (System.getProperty(LEVEL) == null) {
      System.setProperty(LEVEL, "WARN");
    }
  }
}
