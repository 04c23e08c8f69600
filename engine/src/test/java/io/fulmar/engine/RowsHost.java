package io.fulmar.engine;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.arrow.c.ArrowArray;
import org.apache.arrow.c.ArrowSchema;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** A host that makes rows in Java: {@code k} counts down, {@code t} is k with zeros in front. */
class RowsHost implements HostCallbacks {
  static final int BATCH_ROWS = 1000;

  private static final Schema SCHEMA =
      new Schema(
          List.of(
              Field.nullable("k", new ArrowType.Int(64, true)),
              Field.nullable("t", ArrowType.Utf8.INSTANCE),
              Field.nullable("d", new ArrowType.Decimal(38, 2, 128))));

  private final BufferAllocator allocator;
  private final int rows;
  private final int textWidth;
  private final Map<Long, AtomicInteger> readers = new ConcurrentHashMap<>();
  private final AtomicLong nextReader = new AtomicLong(1);

  RowsHost(BufferAllocator allocator, int rows, int textWidth) {
    this.allocator = allocator;
    this.rows = rows;
    this.textWidth = textWidth;
  }

  int openReaders() {
    return readers.size();
  }

  @Override
  public byte[] nextTasks(int scanId) {
    throw new UnsupportedOperationException("no tasks of scan " + scanId);
  }

  @Override
  public long openBatches(byte[] batchRequest, long schemaAddress) {
    Data.exportSchema(allocator, SCHEMA, null, ArrowSchema.wrap(schemaAddress));
    long reader = nextReader.getAndIncrement();
    readers.put(reader, new AtomicInteger());
    return reader;
  }

  @Override
  public boolean nextBatch(long reader, long arrayAddress) {
    AtomicInteger position = readers.get(reader);
    int first = position.getAndAdd(BATCH_ROWS);
    int count = Math.min(BATCH_ROWS, rows - first);
    if (count <= 0) {
      return false;
    }

    try (VectorSchemaRoot root = VectorSchemaRoot.create(SCHEMA, allocator)) {
      fill(root, first, count);
      Data.exportVectorSchemaRoot(allocator, root, null, ArrowArray.wrap(arrayAddress));
    }
    return true;
  }

  @Override
  public void closeBatches(long reader) {
    readers.remove(reader);
  }

  private void fill(VectorSchemaRoot root, int first, int count) {
    BigIntVector keys = (BigIntVector) root.getVector("k");
    VarCharVector texts = (VarCharVector) root.getVector("t");
    DecimalVector amounts = (DecimalVector) root.getVector("d");
    for (int row = 0; row < count; row++) {
      long key = rows - 1L - first - row;
      keys.setSafe(row, key);
      texts.setSafe(row, text(key).getBytes(StandardCharsets.US_ASCII));
      if (key % 7 == 0) {
        amounts.setNull(row);
      } else {
        amounts.setSafe(row, BigDecimal.valueOf(key, 2));
      }
    }
    root.setRowCount(count);
  }

  String text(long key) {
    String digits = Long.toString(key);
    return "0".repeat(Math.max(0, textWidth - digits.length())) + digits;
  }
}
