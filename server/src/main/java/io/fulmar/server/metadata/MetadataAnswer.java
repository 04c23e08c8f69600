package io.fulmar.server.metadata;

import static java.util.Objects.requireNonNull;

import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;

/** Rows that are sent as one batch: old drivers mix up the columns of later batches. */
public interface MetadataAnswer {
  Schema schema();

  /** Makes the batch; the caller closes it. */
  VectorSchemaRoot load(BufferAllocator allocator);

  /**
   * Rows of Java values in the order of the schema: String, Integer, Boolean, byte[], a list of
   * String, or null.
   */
  record Rows(Schema schema, List<Object[]> rows) implements MetadataAnswer {
    public Rows {
      requireNonNull(schema, "schema is null");
      rows = List.copyOf(rows);
    }

    @Override
    public VectorSchemaRoot load(BufferAllocator allocator) {
      VectorSchemaRoot root = VectorSchemaRoot.create(schema, allocator);
      try {
        RowWriter.write(rows, root);
        return root;
      } catch (RuntimeException | Error e) {
        root.close();
        throw e;
      }
    }
  }
}
