package io.fulmar.catalog.registry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.iceberg.inmemory.InMemoryInputFile;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.SeekableInputStream;
import org.junit.jupiter.api.Test;

class StatedInputFileTest {
  private static final byte[] BYTES = "0123456789".getBytes(StandardCharsets.US_ASCII);
  private static final InputFile FILE = new InMemoryInputFile("s3://b/f", BYTES);

  /** Like a store that is told the length and does not ask for it. */
  private record Trusting(InputFile file, long told) implements InputFile {
    @Override
    public long getLength() {
      return told;
    }

    @Override
    public SeekableInputStream newStream() {
      return file.newStream();
    }

    @Override
    public String location() {
      return file.location();
    }

    @Override
    public boolean exists() {
      return true;
    }
  }

  @Test
  void aFileOfTheStatedLengthIsReadWhole() throws IOException {
    try (SeekableInputStream in = new StatedInputFile(FILE, BYTES.length).newStream()) {
      assertArrayEquals(BYTES, in.readAllBytes());
    }
  }

  @Test
  void aFileOfAnotherLengthIsRefused() {
    for (long stated : new long[] {BYTES.length - 1, BYTES.length + 1}) {
      StatedInputFile file = new StatedInputFile(FILE, stated);
      assertRefused(assertThrows(FulmarException.class, file::newStream));
      assertRefused(assertThrows(FulmarException.class, file::getLength));
    }
  }

  @Test
  void bytesThatEndEarlyAreRefused() throws IOException {
    long stated = BYTES.length + 1;
    InputFile file = new StatedInputFile(new Trusting(FILE, stated), stated);
    try (SeekableInputStream in = file.newStream()) {
      assertRefused(assertThrows(FulmarException.class, in::readAllBytes));
      in.seek(BYTES.length);
      assertRefused(assertThrows(FulmarException.class, in::read));
    }
  }

  @Test
  void bytesBehindTheStatedEndAreNotRead() throws IOException {
    long stated = BYTES.length - 1;
    InputFile file = new StatedInputFile(new Trusting(FILE, stated), stated);
    try (SeekableInputStream in = file.newStream()) {
      assertEquals(stated, in.readAllBytes().length);
      assertEquals(-1, in.read());
    }
  }

  private static void assertRefused(FulmarException refused) {
    assertEquals(ErrorCode.CORRUPT_FILE, refused.code());
  }
}
