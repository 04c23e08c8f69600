package io.fulmar.server.observe;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** Which build this is; Maven fills the resource. */
public final class BuildInfo {
  private static final String RESOURCE = "/io/fulmar/server/build.properties";

  private BuildInfo() {}

  /** Like {@code 0.1.0-SNAPSHOT}. */
  public static String version() {
    Properties properties = new Properties();
    try (InputStream stream = BuildInfo.class.getResourceAsStream(RESOURCE)) {
      if (stream == null) {
        throw new IllegalStateException("The build lacks " + RESOURCE);
      }

      properties.load(stream);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read " + RESOURCE, e);
    }
    return properties.getProperty("version");
  }
}
