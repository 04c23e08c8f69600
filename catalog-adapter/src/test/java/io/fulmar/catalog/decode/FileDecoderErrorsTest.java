package io.fulmar.catalog.decode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fulmar.catalog.decode.FileReadRequest.RowPosition;
import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.host.BatchReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.DelegatingInputStream;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.SeekableInputStream;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FileDecoderErrorsTest {
  private static final Schema SCHEMA =
      new Schema(
          Types.NestedField.optional(1, "id", Types.LongType.get()),
          Types.NestedField.optional(2, "name", Types.StringType.get()),
          Types.NestedField.optional(
              3, "list", Types.ListType.ofOptional(4, Types.IntegerType.get())));

  @TempDir private Path folder;

  private DecodeHarness file(FileFormat format, int rows) {
    List<Record> records = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      records.add(
          GenericRecord.create(SCHEMA)
              .copy("id", (long) i, "name", "name " + i, "list", List.of(i, -i)));
    }
    return new DecodeHarness(folder, format).write(SCHEMA, records);
  }

  private static FulmarException failure(DecodeHarness file) {
    FulmarException error = assertThrows(FulmarException.class, () -> file.read(SCHEMA));
    assertTrue(error.getMessage().contains(file.file().toString()), error.getMessage());
    return error;
  }

  @ParameterizedTest
  @EnumSource(names = {"ORC", "AVRO"})
  void missingFiles(FileFormat format) {
    assertEquals(ErrorCode.FILE_NOT_FOUND, failure(new DecodeHarness(folder, format)).code());
  }

  @ParameterizedTest
  @EnumSource(names = {"ORC", "AVRO"})
  void filesCutShortAnywhereAreCorruptOrEndBetweenBlocks(FileFormat format) throws IOException {
    DecodeHarness file = file(format, 100);
    byte[] bytes = Files.readAllBytes(file.file());
    for (int length = 0; length < bytes.length; length += 5) {
      Files.write(file.file(), Arrays.copyOf(bytes, length));
      int cut = length;
      try {
        // Avro has no footer: cut right behind its header it is an empty file.
        assertEquals(List.of(), file.read(SCHEMA), () -> "cut at " + cut);
        assertEquals(FileFormat.AVRO, format, () -> "cut at " + cut);
      } catch (FulmarException e) {
        assertEquals(ErrorCode.CORRUPT_FILE, e.code(), () -> "cut at " + cut + ": " + e);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"ORC", "AVRO"})
  void filesShorterThanTheirMetadataSaysAreCorrupt(FileFormat format) {
    DecodeHarness file = file(format, 3);
    FileReadRequest right = file.request(SCHEMA, RowPosition.OMITTED);
    FileReadRequest longer =
        new FileReadRequest(
            right.identity(),
            format,
            right.fileBytes() + 1,
            SCHEMA,
            Optional.empty(),
            Map.of(),
            Set.of(),
            RowPosition.OMITTED);
    FulmarException error = assertThrows(FulmarException.class, () -> file.read(longer, 10));
    assertEquals(ErrorCode.CORRUPT_FILE, error.code());
  }

  @ParameterizedTest
  @EnumSource(names = {"ORC", "AVRO"})
  void changedBytesNeverRaiseAnythingUntyped(FileFormat format) throws IOException {
    DecodeHarness file = file(format, 50);
    byte[] bytes = Files.readAllBytes(file.file());
    Random random = new Random(7);
    int failures = 0;
    for (int attempt = 0; attempt < 150; attempt++) {
      byte[] changed = bytes.clone();
      changed[random.nextInt(changed.length)] ^= (byte) (1 << random.nextInt(8));
      Files.write(file.file(), changed);
      try {
        file.read(SCHEMA);
      } catch (FulmarException e) {
        failures++;
        assertTrue(
            Set.of(ErrorCode.CORRUPT_FILE, ErrorCode.SCHEMA_MISMATCH, ErrorCode.UNSUPPORTED_FILE)
                .contains(e.code()),
            () -> e.code() + ": " + e);
      }
    }
    assertTrue(failures > 20, "Only " + failures + " changes were noticed");
  }

  @Test
  void otherFormatsAreRefused() {
    assertEquals(
        ErrorCode.UNSUPPORTED_FILE, failure(new DecodeHarness(folder, FileFormat.PARQUET)).code());
  }

  @ParameterizedTest
  @EnumSource(names = {"ORC", "AVRO"})
  void failuresOfTheStoreAreNotTheFiles(FileFormat format) throws IOException {
    DecodeHarness file = file(format, 2000);
    try (BufferAllocator allocator = new RootAllocator()) {
      FulmarException error =
          assertThrows(
              FulmarException.class,
              () -> {
                try (BatchReader reader =
                    new FileDecoder()
                        .open(
                            file.request(SCHEMA, RowPosition.OMITTED),
                            new FailingIo(Files.size(file.file()) / 2),
                            allocator,
                            100)) {
                  while (reader.next()) {
                    assertTrue(reader.root().getRowCount() > 0);
                  }
                }
              });
      assertEquals(ErrorCode.STORAGE_FAILED, error.code(), error.getMessage());
      assertEquals(0, allocator.getAllocatedMemory());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"ORC", "AVRO"})
  void memoryBeyondTheAllocatorIsATypedError(FileFormat format) {
    DecodeHarness file = file(format, 2000);
    try (BufferAllocator allocator = new RootAllocator(16 * 1024)) {
      FulmarException error =
          assertThrows(
              FulmarException.class,
              () -> {
                try (BatchReader reader =
                    new FileDecoder()
                        .open(
                            file.request(SCHEMA, RowPosition.OMITTED),
                            new LocalIo(),
                            allocator,
                            2000)) {
                  reader.next();
                }
              });
      assertEquals(ErrorCode.MEMORY_LIMIT_EXCEEDED, error.code(), error.getMessage());
      assertEquals(0, allocator.getAllocatedMemory());
    }
  }

  /** Reads of bytes behind a position fail as a store's do. */
  private static final class FailingIo implements FileIO {
    private static final long serialVersionUID = 1L;

    private final long position;

    FailingIo(long position) {
      this.position = position;
    }

    @Override
    public InputFile newInputFile(String path) {
      InputFile whole = new LocalIo().newInputFile(path);
      return new InputFile() {
        @Override
        public long getLength() {
          return whole.getLength();
        }

        @Override
        public SeekableInputStream newStream() {
          return new FailingStream(whole.newStream(), position);
        }

        @Override
        public String location() {
          return path;
        }

        @Override
        public boolean exists() {
          return true;
        }
      };
    }

    @Override
    public OutputFile newOutputFile(String path) {
      throw new UnsupportedOperationException(path);
    }

    @Override
    public void deleteFile(String path) {
      throw new UnsupportedOperationException(path);
    }
  }

  private static final class FailingStream extends SeekableInputStream
      implements DelegatingInputStream {
    private final SeekableInputStream in;
    private final long limit;
    private final long tail;

    FailingStream(SeekableInputStream in, long limit) {
      this.in = in;
      this.limit = limit;
      this.tail = limit * 2 - 200;
    }

    @Override
    public java.io.InputStream getDelegate() {
      return in;
    }

    @Override
    public long getPos() throws IOException {
      return in.getPos();
    }

    @Override
    public void seek(long newPosition) throws IOException {
      in.seek(newPosition);
    }

    @Override
    public int read() throws IOException {
      check(1);
      return in.read();
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      check(length);
      return in.read(bytes, offset, length);
    }

    @Override
    public void close() throws IOException {
      in.close();
    }

    private void check(int length) throws IOException {
      if (in.getPos() < tail && in.getPos() + length > limit) {
        throw new IOException("Connection reset");
      }
    }
  }
}
