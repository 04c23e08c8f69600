package io.fulmar.catalog.decode;

import io.fulmar.catalog.host.ArrowFields;
import io.fulmar.catalog.host.ArrowForm;
import io.fulmar.catalog.host.BatchReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.iceberg.types.Types;

/** The batches of one file. */
final class FileBatches implements BatchReader {
  private static final String ROW_POSITION = "_pos";
  private static final int FIRST_CAPACITY = 1024;

  private final FileReadRequest request;
  private final VectorSchemaRoot root;
  private final RowSource rows;
  private final int batchRows;
  private int capacity;
  private long position;

  /** Takes over the root and the rows, which write into the root's first vectors. */
  FileBatches(FileReadRequest request, VectorSchemaRoot root, RowSource rows, int batchRows) {
    this.request = request;
    this.root = root;
    this.rows = rows;
    this.batchRows = batchRows;
    this.capacity = Math.min(batchRows, FIRST_CAPACITY);
  }

  /** An empty root for a request's columns. */
  static VectorSchemaRoot emptyRoot(FileReadRequest request, BufferAllocator allocator) {
    List<Field> fields =
        new ArrayList<>(ArrowFields.schema(request.fields(), ArrowForm.FILE).getFields());
    if (request.rowPosition() == FileReadRequest.RowPosition.APPENDED) {
      fields.add(ArrowFields.field(ROW_POSITION, Types.LongType.get(), ArrowForm.FILE));
    }
    return VectorSchemaRoot.create(new Schema(fields), allocator);
  }

  @Override
  public VectorSchemaRoot root() {
    return root;
  }

  @Override
  public boolean next() {
    try {
      allocate();
      int count = rows.read(batchRows);
      writePositions(count);
      root.setRowCount(count);
      position += count;
      capacity = Math.max(capacity, count);
      return count > 0;
    } catch (IOException | RuntimeException | LinkageError e) {
      throw DecodeErrors.of(request.identity(), e);
    }
  }

  /** New buffers, as an exported batch may still be in use. */
  private void allocate() {
    for (FieldVector vector : root.getFieldVectors()) {
      vector.clear();
      vector.setInitialCapacity(capacity);
      vector.allocateNew();
    }
  }

  private void writePositions(int count) {
    if (request.rowPosition() == FileReadRequest.RowPosition.OMITTED) {
      return;
    }

    BigIntVector positions = (BigIntVector) root.getVector(root.getFieldVectors().size() - 1);
    for (int row = 0; row < count; row++) {
      positions.setSafe(row, position + row);
    }
  }

  @Override
  public void close() {
    root.close();
    try {
      rows.close();
    } catch (IOException e) {
      throw DecodeErrors.of(request.identity(), e);
    }
  }
}
