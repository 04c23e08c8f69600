package io.fulmar.catalog.metadata;

/** Maps a path as metadata spells it to the address of its bytes. */
@FunctionalInterface
public interface LocationMapper {
  /**
   * Returns {@code file:} followed by an absolute path byte for byte (nothing is encoded or
   * decoded, rule R90), or {@code scheme://bucket/key}.
   */
  String map(String path);
}
