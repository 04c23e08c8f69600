package io.fulmar.catalog.decode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fulmar.catalog.decode.FileReadRequest.RowPosition;
import io.fulmar.catalog.host.BatchReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.encryption.EncryptedFiles;
import org.apache.iceberg.formats.FormatModelRegistry;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.mapping.NameMapping;

/** Writes a file with Iceberg's writers and reads it back as plain values. */
final class DecodeHarness {
  private final LocalIo io = new LocalIo();
  private final FileDecoder decoder = new FileDecoder();
  private final Path file;
  private final FileFormat format;

  private Optional<NameMapping> mapping = Optional.empty();
  private Map<Integer, Object> constants = Map.of();
  private Set<Integer> nullConstants = Set.of();

  DecodeHarness(Path folder, FileFormat format) {
    this.file = folder.resolve(format.addExtension("file"));
    this.format = format;
  }

  Path file() {
    return file;
  }

  DecodeHarness write(Schema schema, Record... rows) {
    return write(schema, List.of(rows));
  }

  DecodeHarness write(Schema schema, List<Record> rows) {
    try (DataWriter<Record> writer =
        FormatModelRegistry.<Record, Object>dataWriteBuilder(
                format,
                Record.class,
                EncryptedFiles.plainAsEncryptedOutput(io.newOutputFile(file.toString())))
            .schema(schema)
            .spec(PartitionSpec.unpartitioned())
            .overwrite()
            .build()) {
      writer.write(rows);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  DecodeHarness mapping(NameMapping nameMapping) {
    this.mapping = Optional.of(nameMapping);
    return this;
  }

  DecodeHarness constants(Map<Integer, Object> values, Set<Integer> nulls) {
    this.constants = values;
    this.nullConstants = nulls;
    return this;
  }

  FileReadRequest request(Schema fields, RowPosition position) {
    return new FileReadRequest(
        file.toString(), format, size(), fields, mapping, constants, nullConstants, position);
  }

  private long size() {
    try {
      return Files.exists(file) ? Files.size(file) : 1;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All rows, without positions. */
  List<List<Object>> read(Schema fields) {
    return read(request(fields, RowPosition.OMITTED), 1000);
  }

  /** All rows; no memory may be left, and no batch may be too long. */
  List<List<Object>> read(FileReadRequest request, int batchRows) {
    List<List<Object>> rows = new ArrayList<>();
    try (BufferAllocator allocator = new RootAllocator()) {
      try (BatchReader reader = decoder.open(request, io, allocator, batchRows)) {
        while (reader.next()) {
          int count = reader.root().getRowCount();
          assertTrue(count > 0 && count <= batchRows, () -> "A batch of " + count + " rows");
          for (int row = 0; row < count; row++) {
            rows.add(row(reader.root().getFieldVectors(), row));
          }
        }
      }
      assertEquals(0, allocator.getAllocatedMemory(), "Memory left");
    }
    return rows;
  }

  private static List<Object> row(List<FieldVector> vectors, int index) {
    List<Object> values = new ArrayList<>();
    vectors.forEach(vector -> values.add(value(vector, index)));
    return values;
  }

  /** Bytes as ByteBuffer, structs as maps by name, maps as lists of pairs, text as String. */
  static Object value(FieldVector vector, int index) {
    if (vector.isNull(index)) {
      return null;
    }
    if (vector instanceof MapVector map) {
      StructVector entries = (StructVector) map.getDataVector();
      List<List<Object>> pairs = new ArrayList<>();
      for (int i = map.getElementStartIndex(index); i < map.getElementEndIndex(index); i++) {
        pairs.add(
            Arrays.asList(
                value((FieldVector) entries.getChildByOrdinal(0), i),
                value((FieldVector) entries.getChildByOrdinal(1), i)));
      }
      pairs.sort(Comparator.comparing(pair -> String.valueOf(pair.get(0))));
      return pairs;
    }
    if (vector instanceof ListVector list) {
      List<Object> elements = new ArrayList<>();
      for (int i = list.getElementStartIndex(index); i < list.getElementEndIndex(index); i++) {
        elements.add(value(list.getDataVector(), i));
      }
      return elements;
    }
    if (vector instanceof StructVector struct) {
      Map<String, Object> fields = new LinkedHashMap<>();
      struct
          .getChildrenFromFields()
          .forEach(child -> fields.put(child.getName(), value(child, index)));
      return fields;
    }
    Object value = vector.getObject(index);
    if (value instanceof byte[] bytes) {
      return ByteBuffer.wrap(bytes);
    }
    return value instanceof org.apache.arrow.vector.util.Text ? value.toString() : value;
  }

  /** A map of names and values, which may be null. */
  static Map<String, Object> struct(Object... namesAndValues) {
    Map<String, Object> struct = new HashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      struct.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return struct;
  }

  /** A row or a list of values, which may be null. */
  static List<Object> row(Object... values) {
    return Arrays.asList(values);
  }
}
