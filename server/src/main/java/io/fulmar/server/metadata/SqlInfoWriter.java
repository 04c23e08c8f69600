package io.fulmar.server.metadata;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.arrow.flight.sql.FlightSqlProducer.Schemas;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.UInt4Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.DenseUnionVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.types.pojo.Schema;

/** Writes GetSqlInfo's rows: an id and a dense union each. */
record SqlInfoWriter(Map<Integer, SqlInfoValue> values) implements MetadataAnswer {
  private static final byte TEXT = 0;
  private static final byte FLAG = 1;
  private static final byte BIG = 2;
  private static final byte BITS = 3;
  private static final byte TEXTS = 4;
  private static final byte MAP = 5;

  @Override
  public Schema schema() {
    return Schemas.GET_SQL_INFO_SCHEMA;
  }

  @Override
  public VectorSchemaRoot load(BufferAllocator allocator) {
    VectorSchemaRoot root = VectorSchemaRoot.create(schema(), allocator);
    try {
      write(root);
      return root;
    } catch (RuntimeException | Error e) {
      root.close();
      throw e;
    }
  }

  private void write(VectorSchemaRoot root) {
    UInt4Vector ids = (UInt4Vector) root.getVector(0);
    DenseUnionVector union = (DenseUnionVector) root.getVector(1);
    root.allocateNew();
    int[] counts = new int[MAP + 1];
    int row = 0;
    for (Map.Entry<Integer, SqlInfoValue> entry : values.entrySet()) {
      ids.setSafe(row, entry.getKey());
      byte member = member(entry.getValue());
      while (union.getOffsetBuffer().capacity() < (row + 1) * 4L) {
        union.reAlloc();
      }
      union.setTypeId(row, member);
      union.getOffsetBuffer().setInt(row * 4L, counts[member]);
      set(union, member, counts[member]++, entry.getValue());
      row++;
    }
    for (byte member = 0; member <= MAP; member++) {
      union.getVectorByType(member).setValueCount(counts[member]);
    }
    union.setValueCount(row);
    root.setRowCount(row);
  }

  private static byte member(SqlInfoValue value) {
    if (value instanceof SqlInfoValue.Text) {
      return TEXT;
    }
    if (value instanceof SqlInfoValue.Flag) {
      return FLAG;
    }
    if (value instanceof SqlInfoValue.Big) {
      return BIG;
    }
    if (value instanceof SqlInfoValue.Bits) {
      return BITS;
    }

    return value instanceof SqlInfoValue.Texts ? TEXTS : MAP;
  }

  private static void set(DenseUnionVector union, byte member, int index, SqlInfoValue value) {
    if (value instanceof SqlInfoValue.Text text) {
      union.getVarCharVector(member).setSafe(index, utf8(text.value()));
    } else if (value instanceof SqlInfoValue.Flag flag) {
      union.getBitVector(member).setSafe(index, flag.value() ? 1 : 0);
    } else if (value instanceof SqlInfoValue.Big big) {
      union.getBigIntVector(member).setSafe(index, big.value());
    } else if (value instanceof SqlInfoValue.Bits bits) {
      union.getIntVector(member).setSafe(index, bits.value());
    } else if (value instanceof SqlInfoValue.Texts texts) {
      setTexts((ListVector) (FieldVector) union.getList(member), index, texts.values());
    } else {
      MapVector map = union.getMap(member);
      map.startNewValue(index);
      map.endValue(index, 0);
    }
  }

  private static void setTexts(ListVector list, int index, List<String> values) {
    VarCharVector elements = (VarCharVector) list.getDataVector();
    int start = list.startNewValue(index);
    for (int i = 0; i < values.size(); i++) {
      elements.setSafe(start + i, utf8(values.get(i)));
    }
    list.endValue(index, values.size());
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
