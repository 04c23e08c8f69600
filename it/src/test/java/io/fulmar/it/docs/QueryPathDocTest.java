package io.fulmar.it.docs;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Links between the pages and into the code lead somewhere. */
class QueryPathDocTest {
  private static final Pattern LINK = Pattern.compile("\\[[^\\]]+\\]\\(([^)#\\s]+)(#[^)]*)?\\)");
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  @Test
  void linksAreAlive() throws IOException {
    List<String> dead = new ArrayList<>();
    for (Path page : pages()) {
      Matcher links = LINK.matcher(Files.readString(page, StandardCharsets.UTF_8));
      while (links.find()) {
        String target = links.group(1);
        if (!target.contains("://")
            && !Files.exists(page.toAbsolutePath().getParent().resolve(target).normalize())) {
          dead.add(ROOT.relativize(page) + " → " + target);
        }
      }
    }
    assertTrue(dead.isEmpty(), () -> String.join("\n", dead));
  }

  private static List<Path> pages() throws IOException {
    List<Path> pages =
        new ArrayList<>(List.of(ROOT.resolve("README.md"), ROOT.resolve("CONTRIBUTING.md")));
    try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      docs.filter(path -> path.toString().endsWith(".md")).forEach(pages::add);
    }
    return pages;
  }
}
