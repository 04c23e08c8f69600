package io.fulmar.server.metadata;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;

/** Writes Java values into the vectors that metadata answers have. */
final class RowWriter {
  private RowWriter() {}

  static void write(List<Object[]> rows, VectorSchemaRoot root) {
    root.allocateNew();
    for (int row = 0; row < rows.size(); row++) {
      Object[] values = rows.get(row);
      for (int column = 0; column < values.length; column++) {
        if (values[column] != null) {
          set(root.getVector(column), row, values[column]);
        }
      }
    }
    root.setRowCount(rows.size());
  }

  private static void set(FieldVector vector, int row, Object value) {
    if (vector instanceof VarCharVector text) {
      text.setSafe(row, utf8((String) value));
    } else if (vector instanceof VarBinaryVector binary) {
      binary.setSafe(row, (byte[]) value);
    } else if (vector instanceof IntVector integer) {
      integer.setSafe(row, (Integer) value);
    } else if (vector instanceof UInt1Vector small) {
      small.setSafe(row, (Integer) value);
    } else if (vector instanceof BitVector bit) {
      bit.setSafe(row, Boolean.TRUE.equals(value) ? 1 : 0);
    } else if (vector instanceof ListVector list) {
      setList(list, row, (List<?>) value);
    } else {
      throw new IllegalArgumentException("No metadata answer has a column of " + vector.getField());
    }
  }

  private static void setList(ListVector list, int row, List<?> values) {
    VarCharVector elements = (VarCharVector) list.getDataVector();
    int start = list.startNewValue(row);
    for (int i = 0; i < values.size(); i++) {
      elements.setSafe(start + i, utf8((String) values.get(i)));
    }
    list.endValue(row, values.size());
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
