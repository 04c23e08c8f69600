package io.fulmar.catalog.registry;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.iceberg.exceptions.NotFoundException;

/**
 * Lets a load read each metadata file once. Iceberg retries an unreadable metadata file for minutes
 * and stops for one exception only, {@link NotFoundException}; a second read of one file within a
 * load therefore throws that.
 */
final class MetadataReads {
  private static final ThreadLocal<Set<String>> SEEN = new ThreadLocal<>();

  private MetadataReads() {}

  /** Runs a load in which no metadata file is read twice. */
  static <T> T once(Supplier<T> load) {
    SEEN.set(new HashSet<>());
    try {
      return load.get();
    } finally {
      SEEN.remove();
    }
  }

  /** Called for each metadata file that is about to be read. */
  static void opening(String path) {
    Set<String> seen = SEEN.get();
    if (seen != null && path.contains(".metadata.json") && !seen.add(path)) {
      throw new RepeatedRead(path);
    }
  }

  /** The file whose second read ended the load. */
  static Optional<String> unreadable(Throwable failure) {
    return failure instanceof RepeatedRead repeated ? Optional.of(repeated.path) : Optional.empty();
  }

  private static final class RepeatedRead extends NotFoundException {
    private static final long serialVersionUID = 1L;

    private final String path;

    RepeatedRead(String path) {
      super("Unreadable metadata file: %s", path);
      this.path = path;
    }
  }
}
