package io.fulmar.server.config;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A number of bytes, written like {@code 256MB}; units are powers of 1024.
 *
 * @param bytes never negative
 */
public record DataSize(long bytes) implements Comparable<DataSize> {
  private static final Pattern TEXT = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*([KMGT]?I?B?)");
  private static final String UNITS = "BKMGT";

  public DataSize {
    if (bytes < 0) {
      throw new IllegalArgumentException("A size is never negative: " + bytes);
    }
  }

  public static DataSize ofMegabytes(long megabytes) {
    return new DataSize(megabytes << 20);
  }

  public static DataSize ofGigabytes(long gigabytes) {
    return new DataSize(gigabytes << 30);
  }

  /**
   * Reads {@code 128MB}, {@code 1.5GB}, {@code 64kb}, {@code 4096}.
   *
   * @throws IllegalArgumentException if the text is not a size
   */
  public static DataSize parse(String text) {
    Matcher matcher = TEXT.matcher(text.strip().toUpperCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new IllegalArgumentException("not a size such as 256MB");
    }

    String unit = matcher.group(2);
    int power = unit.isEmpty() ? 0 : UNITS.indexOf(unit.charAt(0));
    double bytes = Double.parseDouble(matcher.group(1)) * Math.pow(1024, power);
    if (bytes >= Long.MAX_VALUE) {
      throw new IllegalArgumentException("larger than any size");
    }

    return new DataSize((long) bytes);
  }

  @Override
  public int compareTo(DataSize other) {
    return Long.compare(bytes, other.bytes);
  }

  /** In the largest unit that gives a whole number, so that {@link #parse} gives the same size. */
  @Override
  public String toString() {
    int power = 0;
    long value = bytes;
    while (value >= 1024 && value % 1024 == 0 && power < UNITS.length() - 1) {
      value /= 1024;
      power++;
    }
    return value + (power == 0 ? "B" : UNITS.charAt(power) + "B");
  }
}
