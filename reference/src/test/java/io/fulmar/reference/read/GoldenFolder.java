package io.fulmar.reference.read;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Set;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/** Some of the golden cases of the black-box tests, unpacked under target. */
final class GoldenFolder {
  private static final Path ARCHIVE =
      Path.of("..", "it", "src", "test", "resources", "golden", "fixtures.tar.xz");
  private static final Path FOLDER = Path.of("target", "golden");

  private GoldenFolder() {}

  /** The folder that {@code s3://fixtures/} stands for. */
  static Path unpack(Set<String> cases) throws IOException {
    try (InputStream file = new BufferedInputStream(Files.newInputStream(ARCHIVE));
        TarArchiveInputStream tar =
            new TarArchiveInputStream(new XZCompressorInputStream(file), "UTF-8")) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        Path target = FOLDER.resolve(entry.getName()).normalize();
        String name = target.getNameCount() > 3 ? target.getName(3).toString() : "";
        if (cases.contains(name) && target.startsWith(FOLDER) && entry.isFile()) {
          Files.createDirectories(target.getParent());
          Files.copy(tar, target, StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
    return FOLDER.resolve("fixtures").toAbsolutePath();
  }
}
