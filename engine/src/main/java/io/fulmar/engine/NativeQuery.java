package io.fulmar.engine;

import com.google.protobuf.InvalidProtocolBufferException;
import io.fulmar.engine.plan.QueryMetrics;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.arrow.c.ArrowArray;
import org.apache.arrow.c.ArrowSchema;
import org.apache.arrow.c.CDataDictionaryProvider;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * A prepared query. One thread reads it; {@link #cancel} and {@link #metrics} may be called from
 * any. The creator closes it, before the allocator it was given and before what its callbacks hold.
 */
public final class NativeQuery implements AutoCloseable {
  private final long handle;
  private final BufferAllocator allocator;
  private final CDataDictionaryProvider dictionaries = new CDataDictionaryProvider();
  private final Schema schema;
  private final VectorSchemaRoot root;
  private final AtomicBoolean closed = new AtomicBoolean();

  private NativeQuery(long handle, BufferAllocator allocator) {
    this.handle = handle;
    this.allocator = allocator;
    this.schema = importSchema();
    this.root = VectorSchemaRoot.create(schema, allocator);
  }

  static NativeQuery open(long handle, BufferAllocator allocator) {
    try {
      return new NativeQuery(handle, allocator);
    } catch (RuntimeException e) {
      JniBridge.queryClose(handle);
      throw e;
    }
  }

  /** The announced schema: that of every batch. */
  public Schema schema() {
    return schema;
  }

  /** The physical plan, as text with one operator a line. */
  public String physicalPlan() {
    return new String(JniBridge.queryExplain(handle), StandardCharsets.UTF_8);
  }

  /** The root that every batch is read into; closed with the query. */
  public VectorSchemaRoot root() {
    return root;
  }

  /**
   * Waits for the next batch and puts it into {@link #root}, whose former rows are released. The
   * first call starts the query. False at the end, with an empty root.
   *
   * @throws EngineException {@code CANCELLED} after {@link #cancel}; a failed query fails again
   */
  public boolean next() {
    root.clear();
    try (ArrowArray array = ArrowArray.allocateNew(allocator)) {
      if (!JniBridge.queryNext(handle, array.memoryAddress())) {
        return false;
      }

      Data.importIntoVectorSchemaRoot(allocator, array, root, dictionaries);
      return true;
    }
  }

  /** Stops the query: a waiting {@link #next} fails within a second. Does nothing when closed. */
  public void cancel() {
    if (closed.get()) {
      return;
    }

    try {
      JniBridge.queryCancel(handle);
    } catch (EngineException e) {
      if (!closed.get()) {
        throw e;
      }
    }
  }

  /** Counts so far; those of the whole query once it is over. Fails when closed. */
  public QueryMetrics metrics() {
    try {
      return QueryMetrics.parseFrom(JniBridge.queryMetrics(handle));
    } catch (InvalidProtocolBufferException e) {
      throw NativeEngine.undecodable(e);
    }
  }

  /** Releases the rows, stops the query and waits for its tasks, some seconds at most. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      root.close();
      dictionaries.close();
      JniBridge.queryClose(handle);
    }
  }

  private Schema importSchema() {
    try (ArrowSchema exported = ArrowSchema.allocateNew(allocator)) {
      JniBridge.querySchema(handle, exported.memoryAddress());
      return Data.importSchema(allocator, exported, dictionaries);
    }
  }
}
