package io.fulmar.engine;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.InvalidProtocolBufferException;
import io.fulmar.engine.plan.EngineStats;
import io.fulmar.engine.plan.ErrorCode;
import io.fulmar.engine.plan.ErrorDetail;
import io.fulmar.engine.plan.Plan;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The native engine of this process: two thread pools, one memory pool, one spill directory. Safe
 * for use by many threads. The creator closes it.
 */
public final class NativeEngine implements AutoCloseable {
  private final long handle;
  private final AtomicBoolean closed = new AtomicBoolean();

  private NativeEngine(long handle) {
    this.handle = handle;
  }

  /**
   * Loads the native library and starts the engine. Spill folders that a dead process left are
   * removed.
   *
   * @throws IllegalStateException if the library is missing; the message says where it was looked
   *     for
   * @throws EngineException if the spill directory cannot be used
   */
  public static NativeEngine open(EngineOptions options) {
    requireNonNull(options, "options is null");
    NativeLibrary.load();

    return new NativeEngine(
        JniBridge.engineOpen(
            options.cpuThreads(),
            options.ioThreads(),
            options.memoryLimitBytes(),
            options.spillDirectory().toAbsolutePath().toString().getBytes(pathCharset()),
            options.spillLimitBytes()));
  }

  /** {@link #prepare(byte[], HostCallbacks, BufferAllocator)} of an unencoded plan. */
  public NativeQuery prepare(Plan plan, HostCallbacks callbacks, BufferAllocator allocator) {
    return prepare(plan.toByteArray(), callbacks, allocator);
  }

  /**
   * Plans a query. Nothing runs before the first {@link NativeQuery#next}.
   *
   * @param plan an encoded {@code Plan}
   * @param callbacks asked from native threads until the query is closed
   * @param allocator of the imported batches; it outlives the query
   * @throws EngineException {@code PLAN_REJECTED} and others, with the plan's node
   */
  public NativeQuery prepare(byte[] plan, HostCallbacks callbacks, BufferAllocator allocator) {
    requireNonNull(plan, "plan is null");
    requireNonNull(callbacks, "callbacks is null");
    requireNonNull(allocator, "allocator is null");

    return NativeQuery.open(JniBridge.queryPrepare(handle, plan, callbacks), allocator);
  }

  /** What all queries together use and used. */
  public EngineStats stats() {
    try {
      return EngineStats.parseFrom(JniBridge.engineStats(handle));
    } catch (InvalidProtocolBufferException e) {
      throw undecodable(e);
    }
  }

  /**
   * Cancels the queries that are open and waits for their tasks, some seconds at most. The queries
   * are still to be closed.
   */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      JniBridge.engineClose(handle);
    }
  }

  static EngineException undecodable(InvalidProtocolBufferException cause) {
    return new EngineException(
        ErrorDetail.newBuilder()
            .setCode(ErrorCode.INTERNAL)
            .setMessage("The engine's answer cannot be decoded: " + cause.getMessage())
            .build(),
        cause);
  }

  private static Charset pathCharset() {
    String name = System.getProperty("sun.jnu.encoding");
    return name != null && Charset.isSupported(name)
        ? Charset.forName(name)
        : StandardCharsets.UTF_8;
  }
}
