package io.fulmar.catalog.registry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.StreamSupport;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.io.FileInfo;
import org.apache.iceberg.io.PositionOutputStream;
import org.apache.iceberg.io.SeekableInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MappedFileIOTest {
  private final MappedFileIO io = new MappedFileIO();

  @TempDir private Path folder;

  @BeforeEach
  void mapPrefixes() {
    io.initialize(
        PathMapping.of(
                Map.of(
                    "s3://b/", folder + "/",
                    "s3a://b/", folder + "/",
                    "s3://b/deep/", folder + "/elsewhere/"))
            .toProperties());
  }

  @Test
  void theLongestPrefixWinsAndTheRestStays() {
    PathMapping mapping =
        PathMapping.of(Map.of("s3://b/", "/x/", "s3://b/deep/", "file:///y", "rel/", "/z"));
    assertEquals("file:/x/a%20b#c?d+e//f", mapping.map("s3://b/a%20b#c?d+e//f"));
    assertEquals("file:/y/f", mapping.map("s3://b/deep/f"));
    assertEquals("file:/z/f", mapping.map("rel/f"));
    assertEquals("s3://other/f", mapping.map("s3a://other/f"));
    assertEquals("gs://other/f", mapping.map("gs://other/f"));
    for (String same : List.of("/p/q", "file:/p/q", "file:///p/q", "file://localhost/p/q")) {
      assertEquals("file:/p/q", mapping.map(same));
    }
  }

  @Test
  void storesWhoseClientIsNotThereSayWhich() {
    for (String address : List.of("gs://lake/f", "abfss://c@account.dfs.core.windows.net/f")) {
      FulmarException error =
          assertThrows(FulmarException.class, () -> io.newInputFile(address).getLength());
      assertEquals(ErrorCode.STORAGE_FAILED, error.code());
      assertTrue(error.getMessage().contains(address), error.getMessage());
      assertTrue(error.getMessage().contains("org.apache.iceberg."), error.getMessage());
    }
  }

  @Test
  void filesAnswerToTheirMetadataPath() throws IOException {
    byte[] bytes = write("s3://b/a%20#?+/f", 200_000);
    assertEquals("s3a://b/a%20#?+/f", io.newInputFile("s3a://b/a%20#?+/f").location());
    assertEquals(bytes.length, io.newInputFile("s3a://b/a%20#?+/f").getLength());

    write("s3://b/deep/g", 10);
    assertTrue(folder.resolve("elsewhere/g").toFile().exists());
    List<String> listed =
        StreamSupport.stream(io.listPrefix("s3://b/a%20#?+/").spliterator(), false)
            .map(FileInfo::location)
            .toList();
    assertEquals(List.of("s3://b/a%20#?+/f"), listed);
  }

  @Test
  void streamsReadAndSeek() throws IOException {
    byte[] bytes = write("s3://b/f", 300_000);
    Random random = new Random(1);
    try (SeekableInputStream in = io.newInputFile("s3://b/f").newStream()) {
      assertArrayEquals(bytes, in.readAllBytes());
      assertEquals(-1, in.read());
      for (int round = 0; round < 500; round++) {
        int position = random.nextInt(bytes.length);
        int length = Math.min(random.nextInt(100_000), bytes.length - position);
        in.seek(position);
        byte[] part = in.readNBytes(length);
        assertEquals(position + length, in.getPos());
        for (int index = 0; index < length; index += 997) {
          assertEquals(bytes[position + index], part[index]);
        }
      }
      in.seek(7);
      assertEquals(10, in.skip(10));
      assertEquals(bytes[17] & 0xff, in.read());
    }
  }

  @Test
  void missingAndPresentFilesAreTold() throws IOException {
    assertFalse(io.newInputFile("s3://b/none").exists());
    assertThrows(NotFoundException.class, () -> io.newInputFile("s3://b/none").newStream());
    assertThrows(NotFoundException.class, () -> io.newInputFile("s3://b/none").getLength());
    assertThrows(NotFoundException.class, () -> io.deleteFile("s3://b/none"));

    write("s3://b/f", 1);
    assertThrows(AlreadyExistsException.class, () -> io.newOutputFile("s3://b/f").create());
    io.newOutputFile("s3://b/f").createOrOverwrite().close();
    assertEquals(0, io.newInputFile("s3://b/f").getLength());
    io.deleteFile("s3://b/f");
    assertFalse(io.newInputFile("s3://b/f").exists());
  }

  private byte[] write(String path, int size) throws IOException {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    try (PositionOutputStream out = io.newOutputFile(path).create()) {
      out.write(bytes);
      assertEquals(size, out.getPos());
    }
    return bytes;
  }
}
