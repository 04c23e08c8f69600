package io.fulmar.engine;

import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds and loads the native library, once: the system property {@value #PROPERTY}, else the
 * environment variable {@value #VARIABLE}, else {@code lib/native/} beside the running jar or above
 * it, else the build's output in a checkout.
 */
final class NativeLibrary {
  static final String PROPERTY = "fulmar.native.library";
  static final String VARIABLE = "FULMAR_NATIVE_LIBRARY";

  private static final int SEARCHED_LEVELS = 5;
  private static final String FILE_NAME = System.mapLibraryName("fulmar");

  private NativeLibrary() {}

  /** Loads the library; later calls do nothing. */
  static void load() {
    Loaded.check();
  }

  /**
   * The place to load from, or an error that names all places that were tried.
   *
   * @param starts the code's own place and the working directory: their folders and those above are
   *     searched
   */
  static Path locate(Optional<String> property, Optional<String> variable, List<Path> starts) {
    Optional<Path> told = property.or(() -> variable).map(Path::of);
    if (told.isPresent()) {
      return existing(List.of(told.get()));
    }

    List<Path> places = new ArrayList<>();
    for (Path start : starts) {
      addPlaces(start, places);
    }
    return existing(places);
  }

  private static void addPlaces(Path start, List<Path> places) {
    Path folder = start;
    for (int level = 0; level < SEARCHED_LEVELS && folder != null; level++) {
      places.add(folder.resolve("lib").resolve("native").resolve(FILE_NAME));
      places.add(folder.resolve("native").resolve(FILE_NAME));
      places.add(folder.resolve("engine/target/native").resolve(FILE_NAME));
      folder = folder.getParent();
    }
  }

  private static Path existing(List<Path> places) {
    return places.stream()
        .filter(Files::isRegularFile)
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "The native engine "
                        + FILE_NAME
                        + " is missing. Build it with engine/native/build.sh, or name it with -D"
                        + PROPERTY
                        + "=<file> or the environment variable "
                        + VARIABLE
                        + ". Looked at: "
                        + places));
  }

  private static Path codeLocation() {
    CodeSource source = NativeLibrary.class.getProtectionDomain().getCodeSource();
    URL location = source == null ? null : source.getLocation();
    if (location == null) {
      return workingDirectory();
    }

    try {
      return Path.of(location.toURI()).toAbsolutePath();
    } catch (URISyntaxException | IllegalArgumentException e) {
      return workingDirectory();
    }
  }

  private static Path workingDirectory() {
    return Path.of("").toAbsolutePath();
  }

  /** Its initialisation loads the library, under the class loader's lock. */
  private static final class Loaded {
    private static final Optional<RuntimeException> FAILURE = attempt();

    private static Optional<RuntimeException> attempt() {
      try {
        Path library =
            locate(
                Optional.ofNullable(System.getProperty(PROPERTY)),
                Optional.ofNullable(System.getenv(VARIABLE)),
                List.of(codeLocation(), workingDirectory()));
        System.load(library.toAbsolutePath().toString());
        return Optional.empty();
      } catch (IllegalStateException e) {
        return Optional.of(e);
      } catch (UnsatisfiedLinkError e) {
        return Optional.of(
            new IllegalStateException("The native engine cannot be loaded: " + e.getMessage(), e));
      }
    }

    static void check() {
      if (FAILURE.isPresent()) {
        throw new IllegalStateException(FAILURE.get().getMessage(), FAILURE.get());
      }
    }
  }
}
