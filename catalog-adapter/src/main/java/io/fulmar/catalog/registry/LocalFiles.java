package io.fulmar.catalog.registry;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.exceptions.RuntimeIOException;
import org.apache.iceberg.io.FileInfo;

/** Local files by their raw path: {@code %20}, {@code #}, {@code ?} and {@code +} are letters. */
final class LocalFiles {
  private LocalFiles() {}

  /** Turns the address {@code file:} + absolute path into a path; nothing is decoded. */
  static Path path(String address) {
    try {
      return Path.of(address.substring("file:".length()));
    } catch (InvalidPathException e) {
      throw new RuntimeIOException(
          new IOException("Java cannot name this file; start it with -Dsun.jnu.encoding=UTF-8", e),
          "Cannot use the path %s",
          address);
    }
  }

  static void delete(String identity, Path path) {
    try {
      Files.delete(path);
    } catch (NoSuchFileException e) {
      throw new NotFoundException(e, "File does not exist: %s", identity);
    } catch (IOException e) {
      throw new RuntimeIOException(e, "Failed to delete: %s", identity);
    }
  }

  /**
   * The files below a folder, or whose path starts with a prefix.
   *
   * @param identity the prefix as metadata spells it; the answer is spelled alike
   * @param address the prefix mapped
   */
  static List<FileInfo> list(String identity, String address) {
    String prefix = address.substring("file:".length());
    int slash = prefix.lastIndexOf('/');
    Path folder = path("file:" + prefix.substring(0, slash + 1));
    String root = prefix.substring(0, slash + 1);
    if (!Files.isDirectory(folder)) {
      return List.of();
    }

    try (Stream<Path> found = Files.walk(folder)) {
      List<FileInfo> files = new ArrayList<>();
      for (Path file : (Iterable<Path>) found::iterator) {
        String relative = root + folder.relativize(file);
        if (relative.startsWith(prefix) && Files.isRegularFile(file)) {
          files.add(info(identity + relative.substring(prefix.length()), file));
        }
      }
      return files;
    } catch (IOException e) {
      throw new RuntimeIOException(e, "Failed to list: %s", identity);
    }
  }

  /** Deletes a folder and all in it. */
  static void deleteFolder(Path folder) {
    try (Stream<Path> found = Files.walk(folder)) {
      for (Path each : (Iterable<Path>) found.sorted(Comparator.reverseOrder())::iterator) {
        Files.deleteIfExists(each);
      }
    } catch (IOException e) {
      throw new RuntimeIOException(e, "Failed to delete: %s", folder);
    }
  }

  private static FileInfo info(String identity, Path file) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
    return new FileInfo(identity, attributes.size(), attributes.lastModifiedTime().toMillis());
  }
}
