package io.fulmar.catalog.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.util.Text;

/** Reads host tables as plain values. */
final class HostTables {
  private HostTables() {}

  /** All rows by column name; no memory may be left. */
  static List<Map<String, Object>> rows(HostTable table, int batchRows) {
    List<Map<String, Object>> rows = new ArrayList<>();
    try (BufferAllocator allocator = new RootAllocator()) {
      try (BatchReader reader = table.open(allocator, batchRows)) {
        assertEquals(ArrowFields.schema(table.schema(), ArrowForm.SQL), reader.root().getSchema());
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

  private static Map<String, Object> row(List<FieldVector> vectors, int index) {
    Map<String, Object> row = new LinkedHashMap<>();
    for (FieldVector vector : vectors) {
      Object value = vector.getObject(index);
      row.put(vector.getName(), value instanceof Text ? value.toString() : value);
    }
    return row;
  }

  /** Some columns of all rows, sorted by their text. */
  static List<String> columns(HostTable table, String... names) {
    return rows(table, 100).stream()
        .map(row -> Arrays.stream(names).map(name -> String.valueOf(row.get(name))).toList())
        .map(List::toString)
        .sorted()
        .toList();
  }
}
