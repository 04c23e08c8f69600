package io.fulmar.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fulmar.engine.plan.ErrorCode;
import io.fulmar.engine.plan.ErrorDetail;
import io.fulmar.engine.plan.Field;
import io.fulmar.engine.plan.QueryMetrics;
import io.fulmar.engine.plan.SimpleType;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.VarCharVector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class NativeEngineTest {
  private static final long MB = 1 << 20;

  @TempDir private Path spillDirectory;
  private BufferAllocator allocator;
  private NativeEngine engine;

  @BeforeEach
  void openEngine() {
    allocator = new RootAllocator();
    engine = NativeEngine.open(new EngineOptions(2, 1, 1 << 30, spillDirectory, 8L << 30));
  }

  /** Every test ends with nothing left: Arrow's allocator fails here if a buffer is. */
  @AfterEach
  void everythingIsReleased() throws IOException {
    assertEquals(0, engine.stats().getPoolBytes());
    engine.close();
    allocator.close();
    try (Stream<Path> left = Files.list(spillDirectory)) {
      assertEquals(List.of(), left.toList());
    }
  }

  @Test
  void valuesGiveTheirRows() {
    RowsHost host = new RowsHost(allocator, 0, 0);
    List<Field> output = List.of(Plans.field("n", Plans.simple(SimpleType.INT64)));
    try (NativeQuery query =
        engine.prepare(Plans.plan(Plans.values(3, 1, 2), output, 64 * MB), host, allocator)) {
      assertEquals("n", query.schema().getFields().get(0).getName());
      assertFalse(query.physicalPlan().isEmpty());
      assertEquals(List.of(3L, 1L, 2L), numbers(query, "n"));
      assertFalse(query.next());
    }
  }

  @Test
  void columnsMayShareAName() {
    RowsHost host = new RowsHost(allocator, 3, 1);
    List<Field> output =
        Plans.COLUMNS.stream().map(field -> field.toBuilder().setName("same").build()).toList();
    try (NativeQuery query =
        engine.prepare(Plans.plan(Plans.hostScan(1), output, 64 * MB), host, allocator)) {
      assertTrue(query.next());
      List<String> names =
          query.root().getSchema().getFields().stream().map(f -> f.getName()).toList();
      assertEquals(List.of("same", "same", "same"), names);
      assertEquals(2, ((BigIntVector) query.root().getVector(0)).get(0));
      assertEquals("2", query.root().getVector(1).getObject(0).toString());
    }
  }

  @Test
  void anAggregateReadsBatchesThatJavaMade() {
    RowsHost host = new RowsHost(allocator, 12_345, 10);
    try (NativeQuery query =
        engine.prepare(
            Plans.plan(Plans.totals(Plans.hostScan(1)), Plans.totalFields(), 64 * MB),
            host,
            allocator)) {
      assertTrue(query.next());
      DecimalVector total = (DecimalVector) query.root().getVector("total");
      long expected = 0;
      for (int key = 0; key < 12_345; key++) {
        expected += key % 7 == 0 ? 0 : key;
      }
      assertEquals(BigDecimal.valueOf(expected, 2), total.getObject(0));
      assertEquals(12_345, ((BigIntVector) query.root().getVector("rows")).get(0));
      assertFalse(query.next());
    }
    assertEquals(0, host.openReaders());
  }

  @Test
  void rowsPassThroughUnchanged() {
    RowsHost host = new RowsHost(allocator, 5_500, 12);
    try (NativeQuery query = rows(host, 64 * MB)) {
      long key = 5_499;
      while (query.next()) {
        BigIntVector keys = (BigIntVector) query.root().getVector("k");
        VarCharVector texts = (VarCharVector) query.root().getVector("t");
        DecimalVector amounts = (DecimalVector) query.root().getVector("d");
        for (int row = 0; row < query.root().getRowCount(); row++, key--) {
          assertEquals(key, keys.get(row));
          assertEquals(host.text(key), texts.getObject(row).toString());
          assertEquals(key % 7 == 0 ? null : BigDecimal.valueOf(key, 2), amounts.getObject(row));
        }
      }
      assertEquals(-1, key);
    }
  }

  @Test
  void aSortOfEightTimesTheLimitSpillsAndIsSorted() {
    RowsHost host = new RowsHost(allocator, 120_000, 1000);
    try (NativeQuery query = sorted(host, 16 * MB)) {
      List<Long> keys = numbers(query, "k");
      assertEquals(120_000, keys.size());
      assertEquals(keys.stream().sorted().toList(), keys);
      QueryMetrics metrics = query.metrics();
      assertTrue(metrics.getSpilledBytes() > 0);
      assertTrue(metrics.getPeakMemoryBytes() <= 16 * MB);
      assertEquals(120_000, metrics.getRows());
      assertTrue(engine.stats().getSpilledBytes() >= metrics.getSpilledBytes());
    }
  }

  @Test
  void theMemoryLimitIsAnErrorThatNamesTheSetting() {
    RowsHost host = new RowsHost(allocator, 100_000, 3_000_000 / RowsHost.BATCH_ROWS);
    try (NativeQuery query = sorted(host, MB)) {
      ErrorDetail detail = assertThrows(EngineException.class, query::next).detail();
      assertEquals(ErrorCode.MEMORY_LIMIT_EXCEEDED, detail.getCode());
      assertEquals("memory.query-limit", detail.getSetting());
      assertTrue(detail.getMessage().contains("ExternalSorter"), detail.getMessage());
    }
  }

  @Test
  void aThrowableOfACallbackIsTheCause() {
    IllegalStateException thrown = new IllegalStateException("no such table");
    RowsHost host =
        new RowsHost(allocator, 10, 10) {
          @Override
          public long openBatches(byte[] batchRequest, long schemaAddress) {
            throw thrown;
          }
        };
    try (NativeQuery query = rows(host, 64 * MB)) {
      EngineException failure = assertThrows(EngineException.class, query::next);
      assertEquals(ErrorCode.HOST_FAILED, failure.detail().getCode());
      assertTrue(failure.getMessage().contains("no such table"), failure.getMessage());
      assertSame(thrown, failure.getCause());
    }
  }

  @Test
  void aFailureInTheMiddleClosesTheReader() {
    RowsHost host =
        new RowsHost(allocator, 100_000, 10) {
          @Override
          public boolean nextBatch(long reader, long arrayAddress) {
            if (!super.nextBatch(reader, arrayAddress)) {
              throw new AssertionError("the last batch is broken");
            }
            return true;
          }
        };
    try (NativeQuery query = rows(host, 64 * MB)) {
      EngineException failure =
          assertThrows(EngineException.class, () -> numbers(query, "k").size());
      assertInstanceOf(AssertionError.class, failure.getCause());
    }
    assertEquals(0, host.openReaders());
  }

  @Test
  void brokenPlansAreRefused() {
    RowsHost host = new RowsHost(allocator, 0, 0);
    byte[] broken = {-1, -1, -1};
    EngineException failure =
        assertThrows(EngineException.class, () -> engine.prepare(broken, host, allocator));
    assertEquals(ErrorCode.PLAN_REJECTED, failure.detail().getCode());
  }

  @Test
  void cancelEndsAWaitingNextWithinASecond() throws Exception {
    RowsHost host = new RowsHost(allocator, 50_000_000, 10);
    try (NativeQuery query = sorted(host, 64 * MB)) {
      CompletableFuture<Throwable> ended =
          CompletableFuture.supplyAsync(() -> assertThrows(EngineException.class, query::next));
      Thread.sleep(500);
      long begun = System.nanoTime();
      query.cancel();
      EngineException failure = assertInstanceOf(EngineException.class, ended.get());
      Duration took = Duration.ofNanos(System.nanoTime() - begun);
      assertEquals(ErrorCode.CANCELLED, failure.detail().getCode());
      assertTrue(took.compareTo(Duration.ofSeconds(1)) < 0, took::toString);
    }
    assertEquals(0, host.openReaders());
  }

  @Test
  void aQueryMayBeClosedHalfRead() {
    RowsHost host = new RowsHost(allocator, 10_000_000, 100);
    try (NativeQuery query = rows(host, 64 * MB)) {
      assertTrue(query.next());
    }
    assertEquals(0, host.openReaders());
  }

  @Test
  void closedHandlesAreErrors() {
    RowsHost host = new RowsHost(allocator, 10, 10);
    NativeQuery query = rows(host, 64 * MB);
    query.close();
    query.close();
    query.cancel();
    EngineException failure = assertThrows(EngineException.class, query::metrics);
    assertEquals(ErrorCode.INTERNAL, failure.detail().getCode());
    for (long handle : new long[] {0, -1, 1, Long.MAX_VALUE}) {
      assertThrows(EngineException.class, () -> JniBridge.queryNext(handle, 0));
      assertThrows(EngineException.class, () -> JniBridge.queryClose(handle));
      assertThrows(EngineException.class, () -> JniBridge.engineStats(~handle));
    }
  }

  @Test
  void anEngineClosesItsQueries() throws Exception {
    RowsHost host = new RowsHost(allocator, 50_000_000, 10);
    Path other = Files.createTempDirectory(spillDirectory.getParent(), "other");
    NativeEngine second = NativeEngine.open(new EngineOptions(1, 1, 1 << 30, other, 8L << 30));
    try (NativeQuery query =
        second.prepare(
            Plans.plan(Plans.sortedByText(Plans.hostScan(1)), Plans.COLUMNS, 64 * MB),
            host,
            allocator)) {
      CompletableFuture<EngineException> ended =
          CompletableFuture.supplyAsync(() -> assertThrows(EngineException.class, query::next));
      Thread.sleep(300);
      second.close();
      assertEquals(ErrorCode.CANCELLED, ended.get().detail().getCode());
    }
    assertThrows(EngineException.class, second::stats);
    assertArrayEquals(new String[0], other.toFile().list());
  }

  private NativeQuery rows(RowsHost host, long memoryLimit) {
    return engine.prepare(
        Plans.plan(Plans.hostScan(1), Plans.COLUMNS, memoryLimit), host, allocator);
  }

  private NativeQuery sorted(RowsHost host, long memoryLimit) {
    return engine.prepare(
        Plans.plan(Plans.sortedByText(Plans.hostScan(1)), Plans.COLUMNS, memoryLimit),
        host,
        allocator);
  }

  private static List<Long> numbers(NativeQuery query, String column) {
    List<Long> numbers = new ArrayList<>();
    while (query.next()) {
      BigIntVector vector = (BigIntVector) query.root().getVector(column);
      for (int row = 0; row < query.root().getRowCount(); row++) {
        numbers.add(vector.get(row));
      }
    }
    return numbers;
  }
}
