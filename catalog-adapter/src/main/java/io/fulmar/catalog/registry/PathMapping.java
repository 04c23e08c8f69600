package io.fulmar.catalog.registry;

import io.fulmar.catalog.metadata.LocationMapper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Prefixes of metadata paths and what stands for them. The longest prefix wins; the rest of a path
 * is taken byte for byte (rule R90).
 */
final class PathMapping implements LocationMapper {
  /** Properties that carry a mapping into a FileIO which Iceberg makes by reflection. */
  private static final String FROM = "fulmar.path-mapping.from.";

  private static final String TO = "fulmar.path-mapping.to.";

  private final List<Rule> rules;

  private PathMapping(List<Rule> rules) {
    this.rules = List.copyOf(rules);
  }

  static PathMapping of(Map<String, String> prefixes) {
    List<Rule> rules = new ArrayList<>();
    prefixes.forEach((from, to) -> rules.add(Rule.of(from, to)));
    rules.sort(Comparator.comparingInt((Rule rule) -> rule.from().length()).reversed());
    return new PathMapping(rules);
  }

  static PathMapping fromProperties(Map<String, String> properties) {
    Map<String, String> prefixes = new LinkedHashMap<>();
    for (int index = 0; properties.containsKey(FROM + index); index++) {
      prefixes.put(properties.get(FROM + index), properties.get(TO + index));
    }
    return of(prefixes);
  }

  Map<String, String> toProperties() {
    Map<String, String> properties = new LinkedHashMap<>();
    for (int index = 0; index < rules.size(); index++) {
      properties.put(FROM + index, rules.get(index).from());
      properties.put(TO + index, rules.get(index).to());
    }
    return properties;
  }

  @Override
  public String map(String path) {
    for (Rule rule : rules) {
      if (path.startsWith(rule.from())) {
        return normalize(rule.to() + path.substring(rule.from().length()));
      }
    }
    return normalize(path);
  }

  /**
   * One spelling for each file system: {@code file:/…}, {@code s3://…}. Only the scheme and what
   * leads to the absolute path are touched.
   */
  private static String normalize(String path) {
    if (path.startsWith("file:")) {
      return "file:" + absolute(withoutAuthority(path.substring("file:".length())));
    }

    int scheme = path.indexOf("://");
    if (scheme <= 0 || path.lastIndexOf('/', scheme) >= 0) {
      return "file:" + absolute(path);
    }

    String name = path.substring(0, scheme);
    return name.equals("s3a") || name.equals("s3n") ? "s3" + path.substring(scheme) : path;
  }

  private static String withoutAuthority(String path) {
    if (path.startsWith("///")) {
      return path.substring(2);
    }
    return path.startsWith("//localhost/") ? path.substring("//localhost".length()) : path;
  }

  private static String absolute(String path) {
    return path.startsWith("/") ? path : Path.of("").toAbsolutePath() + "/" + path;
  }

  private record Rule(String from, String to) {
    static Rule of(String from, String to) {
      String folder = from.endsWith("/") && !to.endsWith("/") ? to + "/" : to;
      return new Rule(from, folder);
    }
  }
}
