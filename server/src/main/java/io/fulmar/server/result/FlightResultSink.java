package io.fulmar.server.result;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.time.Duration;
import org.apache.arrow.flight.FlightProducer.ServerStreamListener;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Sends batches to one client. It waits where the client is slow, so it must never run on a gRPC
 * thread: ready and cancel events queue behind that.
 */
public final class FlightResultSink implements ResultSink, AutoCloseable {
  private static final long WAKE_MILLIS = 200;

  private final ServerStreamListener listener;
  private final BufferAllocator allocator;
  private final BatchSplitter splitter;
  private final Duration slowReaderTimeout;
  private final Object ready = new Object();
  private VectorSchemaRoot outgoing;
  private VectorLoader loader;

  /**
   * Takes over the listener's ready events. Call on the gRPC thread, before the call returns.
   *
   * @param allocator holds one batch at a time
   */
  public FlightResultSink(
      ServerStreamListener listener, BufferAllocator allocator, ResultLimits limits) {
    this.listener = requireNonNull(listener, "listener is null");
    this.allocator = requireNonNull(allocator, "allocator is null");
    this.splitter = new BatchSplitter(limits.batchSize().bytes());
    this.slowReaderTimeout = limits.slowReaderTimeout();
    listener.setOnReadyHandler(this::wake);
  }

  /** Makes a waiting {@link #send} look again whether the client is still there. */
  public void wake() {
    synchronized (ready) {
      ready.notifyAll();
    }
  }

  @Override
  public void start(Schema schema) {
    outgoing = VectorSchemaRoot.create(schema, allocator);
    loader = new VectorLoader(outgoing);
    listener.start(outgoing);
  }

  @Override
  public void send(VectorSchemaRoot batch) {
    SchemaContract.check(outgoing.getSchema(), batch.getSchema());
    if (batch.getRowCount() > 0) {
      splitter.split(batch, this::sendPart);
    }
  }

  @Override
  public void close() {
    if (outgoing != null) {
      outgoing.close();
    }
  }

  private void sendPart(VectorSchemaRoot part) {
    awaitReady();
    try (ArrowRecordBatch buffers = new VectorUnloader(part).getRecordBatch()) {
      loader.load(buffers);
    }
    listener.putNext();
    outgoing.clear();
  }

  private void awaitReady() {
    long start = System.nanoTime();
    try {
      synchronized (ready) {
        while (!listener.isReady()) {
          checkReader(System.nanoTime() - start);
          ready.wait(WAKE_MILLIS);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FulmarException(ErrorCode.CANCELLED, "The stream was interrupted", e);
    }
  }

  private void checkReader(long waitedNanos) {
    if (listener.isCancelled()) {
      throw new FulmarException(ErrorCode.CANCELLED, "The client went away");
    }
    if (!slowReaderTimeout.isZero() && waitedNanos > slowReaderTimeout.toNanos()) {
      throw new FulmarException(
              ErrorCode.TIMEOUT,
              "The client took nothing for " + slowReaderTimeout.toSeconds() + " s")
          .withHint("Read faster, or raise results.slow-reader-timeout.");
    }
  }
}
