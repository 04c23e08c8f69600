package io.fulmar.server.config;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Flattens a YAML file to keys and values with their lines. */
final class YamlReader {
  private final Problems problems;
  private final String fileName;
  private final List<RawSetting> settings = new ArrayList<>();

  private YamlReader(String fileName, Problems problems) {
    this.fileName = fileName;
    this.problems = problems;
  }

  static List<RawSetting> read(Path file, Problems problems) {
    YamlReader reader = new YamlReader(file.toString(), problems);
    YAMLFactory factory =
        YAMLFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();
    try (JsonParser parser = factory.createParser(Files.newBufferedReader(file))) {
      reader.readDocument(parser);
    } catch (JsonProcessingException e) {
      String line = e.getLocation() == null ? "" : ":" + e.getLocation().getLineNr();
      problems.add(file + line, firstLine(e.getOriginalMessage()));
    } catch (IOException e) {
      problems.add(file.toString(), "cannot be read (" + e + ")");
    }
    return reader.settings;
  }

  private void readDocument(JsonParser parser) throws IOException {
    Deque<String> path = new ArrayDeque<>();
    JsonToken first = parser.nextToken();
    if (first == null || first == JsonToken.VALUE_NULL) {
      return;
    }
    if (first != JsonToken.START_OBJECT) {
      problems.add(origin(parser), "expected keys with values");
      return;
    }

    readObject(parser, path);
  }

  private void readObject(JsonParser parser, Deque<String> path) throws IOException {
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      path.addLast(name);
      String origin = origin(parser);
      readValue(parser, path, origin);
      path.removeLast();
    }
  }

  private void readValue(JsonParser parser, Deque<String> path, String origin) throws IOException {
    JsonToken token = parser.nextToken();
    if (token == JsonToken.START_OBJECT) {
      readObject(parser, path);
    } else if (token == JsonToken.START_ARRAY) {
      problems.add(origin, String.join(".", path) + " has a list, expected one value");
      parser.skipChildren();
    } else if (token == JsonToken.VALUE_NULL) {
      problems.add(origin, String.join(".", path) + " has no value");
    } else {
      settings.add(new RawSetting(List.copyOf(path), parser.getText(), origin));
    }
  }

  private String origin(JsonParser parser) {
    return fileName + ":" + parser.currentTokenLocation().getLineNr();
  }

  private static String firstLine(String message) {
    return message.lines().findFirst().orElse("not YAML");
  }
}
