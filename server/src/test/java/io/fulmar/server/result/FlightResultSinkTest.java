package io.fulmar.server.result;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.server.config.DataSize;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.flight.FlightProducer.ServerStreamListener;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.ipc.message.IpcOption;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class FlightResultSinkTest {
  private static final Field NUMBER =
      new Field("n", FieldType.nullable(new ArrowType.Int(64, true)), List.of());
  private static final Field TEXT =
      new Field("t", FieldType.nullable(ArrowType.Utf8.INSTANCE), List.of());
  private static final Schema SCHEMA = new Schema(List.of(NUMBER, TEXT));
  private static final long BATCH_BYTES = 64 << 10;

  private final BufferAllocator allocator = new RootAllocator();
  private final RecordingListener listener = new RecordingListener();

  @AfterEach
  void everyBufferIsGivenBack() {
    allocator.close();
  }

  @Test
  void sendsTheSchemaOfAnEmptyResult() {
    try (FlightResultSink sink = sink(Duration.ZERO)) {
      sink.start(SCHEMA);
    }

    assertEquals(SCHEMA, listener.schema);
    assertEquals(List.of(), listener.rows);
  }

  @Test
  void cutsLargeBatchesAndKeepsEveryRow() {
    try (FlightResultSink sink = sink(Duration.ZERO);
        VectorSchemaRoot batch = batch(10_000, 20)) {
      sink.start(SCHEMA);
      sink.send(batch);
    }

    assertEquals(10_000, listener.rows.size());
    for (int i = 0; i < 10_000; i++) {
      assertEquals(i + ":" + "x".repeat(20), listener.rows.get(i));
    }
    listener.sizes.forEach(size -> assertTrue(size <= BATCH_BYTES, () -> size + " bytes"));
    assertTrue(listener.sizes.size() >= 5, () -> listener.sizes.toString());
  }

  @Test
  void aRowLargerThanABatchGoesAlone() {
    try (FlightResultSink sink = sink(Duration.ZERO);
        VectorSchemaRoot batch = batch(3, (int) BATCH_BYTES * 2)) {
      sink.start(SCHEMA);
      sink.send(batch);
    }

    assertEquals(3, listener.sizes.size());
  }

  @Test
  void emptyBatchesAreNotSent() {
    try (FlightResultSink sink = sink(Duration.ZERO);
        VectorSchemaRoot batch = batch(0, 1)) {
      sink.start(SCHEMA);
      sink.send(batch);
    }

    assertEquals(List.of(), listener.sizes);
  }

  @Test
  void anotherSchemaFailsTheStream() {
    Schema announced =
        new Schema(
            List.of(NUMBER, new Field("t", FieldType.nullable(ArrowType.Binary.INSTANCE), null)));
    try (FlightResultSink sink = sink(Duration.ZERO);
        VectorSchemaRoot batch = batch(1, 1)) {
      sink.start(announced);
      FulmarException error = assertThrows(FulmarException.class, () -> sink.send(batch));
      assertEquals(ErrorCode.INTERNAL_ERROR, error.code());
      assertTrue(
          error.getMessage().startsWith("Column 2 of the result is t: Utf8"), error.toString());
    }
  }

  @Test
  void metadataOfColumnsDoesNotCount() {
    FieldType described =
        new FieldType(true, new ArrowType.Int(64, true), null, Map.of("key", "value"));
    Schema announced = new Schema(List.of(new Field("n", described, null), TEXT));
    try (FlightResultSink sink = sink(Duration.ZERO);
        VectorSchemaRoot batch = batch(1, 1)) {
      sink.start(announced);
      sink.send(batch);
    }

    assertEquals(announced, listener.schema);
    assertEquals(List.of("0:x"), listener.rows);
  }

  @Test
  void waitsForASlowReader() throws InterruptedException {
    listener.ready = false;
    Thread reader =
        new Thread(
            () -> {
              sleep(300);
              listener.ready = true;
              listener.onReady.run();
            });
    try (FlightResultSink sink = sink(Duration.ofSeconds(20));
        VectorSchemaRoot batch = batch(1, 1)) {
      sink.start(SCHEMA);
      reader.start();
      long start = System.nanoTime();
      sink.send(batch);
      assertTrue(System.nanoTime() - start > 200_000_000L);
    }
    reader.join();
    assertEquals(1, listener.sizes.size());
  }

  @Test
  void aReaderThatTakesNothingIsAnError() {
    listener.ready = false;
    try (FlightResultSink sink = sink(Duration.ofMillis(50));
        VectorSchemaRoot batch = batch(1, 1)) {
      sink.start(SCHEMA);
      FulmarException error = assertThrows(FulmarException.class, () -> sink.send(batch));
      assertEquals(ErrorCode.TIMEOUT, error.code());
      assertTrue(error.hint().orElse("").contains("results.slow-reader-timeout"));
    }
  }

  @Test
  void aClientThatWentAwayEndsTheWait() {
    listener.ready = false;
    listener.cancelled = true;
    try (FlightResultSink sink = sink(Duration.ZERO);
        VectorSchemaRoot batch = batch(1, 1)) {
      sink.start(SCHEMA);
      FulmarException error = assertThrows(FulmarException.class, () -> sink.send(batch));
      assertEquals(ErrorCode.CANCELLED, error.code());
    }
  }

  private FlightResultSink sink(Duration slowReaderTimeout) {
    return new FlightResultSink(
        listener, allocator, new ResultLimits(new DataSize(BATCH_BYTES), slowReaderTimeout));
  }

  private VectorSchemaRoot batch(int rows, int textLength) {
    VectorSchemaRoot root = VectorSchemaRoot.create(SCHEMA, allocator);
    BigIntVector numbers = (BigIntVector) root.getVector(0);
    VarCharVector texts = (VarCharVector) root.getVector(1);
    byte[] text = "x".repeat(textLength).getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < rows; i++) {
      numbers.setSafe(i, i);
      texts.setSafe(i, text);
    }
    root.setRowCount(rows);
    return root;
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static final class RecordingListener implements ServerStreamListener {
    private final List<String> rows = new ArrayList<>();
    private final List<Long> sizes = new ArrayList<>();
    private volatile boolean ready = true;
    private volatile boolean cancelled;
    private Runnable onReady = () -> {};
    private VectorSchemaRoot root;
    private Schema schema;

    @Override
    public void start(VectorSchemaRoot started, DictionaryProvider provider, IpcOption option) {
      root = started;
      schema = started.getSchema();
    }

    @Override
    public void putNext() {
      long bytes = 0;
      for (int i = 0; i < root.getFieldVectors().size(); i++) {
        bytes += root.getVector(i).getBufferSize();
      }
      sizes.add(bytes);
      for (int row = 0; row < root.getRowCount(); row++) {
        rows.add(root.getVector(0).getObject(row) + ":" + root.getVector(1).getObject(row));
      }
    }

    @Override
    public void putNext(ArrowBuf metadata) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void putMetadata(ArrowBuf metadata) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void error(Throwable error) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void completed() {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean isReady() {
      return ready;
    }

    @Override
    public boolean isCancelled() {
      return cancelled;
    }

    @Override
    public void setOnCancelHandler(Runnable handler) {}

    @Override
    public void setOnReadyHandler(Runnable handler) {
      onReady = handler;
    }
  }
}
