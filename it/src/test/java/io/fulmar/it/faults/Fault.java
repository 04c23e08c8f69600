package io.fulmar.it.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;

/** What befalls a file. */
enum Fault {
  MISSING,
  EMPTY,
  HALF,
  SWAPPED,
  FLIPPED_EARLY,
  FLIPPED,
  FLIPPED_LATE,
  /** Where the CRC of a Parquet page covers it. */
  FLIPPED_PAGE;

  /** Whether the file can suffer it. */
  boolean concerns(Path file) throws IOException {
    return this != FLIPPED_PAGE
        || (file.toString().endsWith(".parquet") && PageChecksums.covered(file).isPresent());
  }

  /** Of a change of one bit a format without checksums may know nothing. */
  boolean mayStayUnseen() {
    return this == FLIPPED_EARLY || this == FLIPPED || this == FLIPPED_LATE || this == FLIPPED_PAGE;
  }

  /**
   * Harms a file.
   *
   * @param other whose bytes {@link #SWAPPED} puts in its place
   * @return whether a checksum must tell
   */
  boolean inflict(Path file, Path other) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    switch (this) {
      case MISSING -> Files.delete(file);
      case EMPTY -> Files.write(file, new byte[0]);
      case HALF -> Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));
      case SWAPPED -> Files.write(file, Files.readAllBytes(other));
      case FLIPPED_EARLY -> {
        return flip(file, bytes, 0, bytes.length / 3);
      }
      case FLIPPED -> {
        return flip(file, bytes, bytes.length / 3, bytes.length * 2 / 3);
      }
      case FLIPPED_LATE -> {
        return flip(file, bytes, bytes.length * 2 / 3, bytes.length);
      }
      case FLIPPED_PAGE -> {
        int at = Math.toIntExact(PageChecksums.covered(file).orElseThrow());
        return flip(file, bytes, at, at + 1);
      }
    }
    return false;
  }

  private static boolean flip(Path file, byte[] bytes, int from, int to) throws IOException {
    int at = new Random(bytes.length * 31L + from).nextInt(from, to);
    boolean covered =
        file.toString().endsWith(".puffin")
            || (file.toString().endsWith(".parquet") && PageChecksums.cover(file, at));
    bytes[at] ^= (byte) (1 << (at % 8));
    Files.write(file, bytes);
    return covered;
  }
}
