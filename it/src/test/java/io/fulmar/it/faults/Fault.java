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
  FLIPPED_LATE;

  /** Of a change of one bit a format without checksums may know nothing. */
  boolean mayStayUnseen() {
    return this == FLIPPED_EARLY || this == FLIPPED || this == FLIPPED_LATE;
  }

  /**
   * Harms a file.
   *
   * @param other whose bytes {@link #SWAPPED} puts in its place
   */
  void inflict(Path file, Path other) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    switch (this) {
      case MISSING -> Files.delete(file);
      case EMPTY -> Files.write(file, new byte[0]);
      case HALF -> Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));
      case SWAPPED -> Files.write(file, Files.readAllBytes(other));
      case FLIPPED_EARLY -> Files.write(file, flipped(bytes, 0, bytes.length / 3));
      case FLIPPED -> Files.write(file, flipped(bytes, bytes.length / 3, bytes.length * 2 / 3));
      case FLIPPED_LATE -> Files.write(file, flipped(bytes, bytes.length * 2 / 3, bytes.length));
    }
  }

  private static byte[] flipped(byte[] bytes, int from, int to) {
    int at = new Random(bytes.length * 31L + from).nextInt(from, to);
    bytes[at] ^= (byte) (1 << (at % 8));
    return bytes;
  }
}
