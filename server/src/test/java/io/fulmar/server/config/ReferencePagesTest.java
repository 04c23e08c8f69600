package io.fulmar.server.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fulmar.server.error.ErrorReference;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * The reference pages say what the code says. {@code -Dfulmar.docs.write=true} writes them anew.
 */
class ReferencePagesTest {
  private static final Path FOLDER = Path.of("..", "docs", "reference");

  @Test
  void settings() throws IOException {
    check(FOLDER.resolve("settings.md"), SettingsReference.markdown());
  }

  @Test
  void errors() throws IOException {
    check(FOLDER.resolve("errors.md"), ErrorReference.markdown());
  }

  private static void check(Path page, String expected) throws IOException {
    if (Boolean.getBoolean("fulmar.docs.write")) {
      Files.createDirectories(page.getParent());
      Files.writeString(page, expected);
    }

    assertEquals(
        expected,
        Files.exists(page) ? Files.readString(page) : "",
        page
            + " is stale: run ./mvnw -pl server test -Dtest=ReferencePagesTest -Dfulmar.docs.write=true");
  }
}
