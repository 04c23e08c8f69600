package io.fulmar.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeLibraryTest {
  @TempDir private Path folder;

  @Test
  void propertyComesBeforeVariable() throws IOException {
    Path told = Files.createFile(folder.resolve("told"));
    Path other = Files.createFile(folder.resolve("other"));
    assertEquals(told, locate(Optional.of(told), Optional.of(other), folder));
    assertEquals(other, locate(Optional.empty(), Optional.of(other), folder));
  }

  @Test
  void aDistributionHasItBesideItsJars() throws IOException {
    Path library = library(folder.resolve("lib/native"));
    Path jar = folder.resolve("lib/fulmar-engine.jar");
    assertEquals(library, locate(Optional.empty(), Optional.empty(), jar));
  }

  @Test
  void aCheckoutHasItInTheModulesTarget() throws IOException {
    Path library = library(folder.resolve("engine/target/native"));
    Path classes = folder.resolve("engine/target/classes");
    assertEquals(library, locate(Optional.empty(), Optional.empty(), classes));
    Path server = folder.resolve("server/target/classes");
    assertEquals(library, locate(Optional.empty(), Optional.empty(), server));
  }

  @Test
  void aMissingLibraryIsExplained() {
    Path told = folder.resolve("absent");
    IllegalStateException failure =
        assertThrows(
            IllegalStateException.class, () -> locate(Optional.of(told), Optional.empty(), folder));
    assertTrue(failure.getMessage().contains("build.sh"), failure.getMessage());
    assertTrue(failure.getMessage().contains(told.toString()), failure.getMessage());
  }

  private static Path locate(Optional<Path> property, Optional<Path> variable, Path code) {
    return NativeLibrary.locate(
        property.map(Path::toString), variable.map(Path::toString), List.of(code));
  }

  private static Path library(Path parent) throws IOException {
    Files.createDirectories(parent);
    return Files.createFile(parent.resolve(System.mapLibraryName("fulmar")));
  }
}
