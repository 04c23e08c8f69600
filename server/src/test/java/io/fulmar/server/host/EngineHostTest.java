package io.fulmar.server.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.fulmar.catalog.decode.FileDecoder;
import io.fulmar.catalog.host.HostRow;
import io.fulmar.catalog.host.HostTable;
import io.fulmar.catalog.host.RowsHostTable;
import io.fulmar.catalog.scan.ScanPlanner;
import io.fulmar.engine.plan.BatchRequest;
import io.fulmar.engine.plan.HostScan;
import io.fulmar.engine.plan.Plan;
import io.fulmar.planner.QueryPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.c.ArrowArray;
import org.apache.arrow.c.ArrowSchema;
import org.apache.arrow.memory.RootAllocator;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;

class EngineHostTest {
  private static final Schema SCHEMA =
      new Schema(Types.NestedField.optional(1, "n", Types.IntegerType.get()));

  /** Native threads have none. */
  @Test
  void callsSeeAClassLoaderOnThreadsWithoutOne() {
    List<ClassLoader> seen = new ArrayList<>();
    HostTable table = new RowsHostTable("t", SCHEMA, () -> rows(seen));
    QueryPlan plan =
        new QueryPlan(
            Plan.getDefaultInstance(),
            new org.apache.arrow.vector.types.pojo.Schema(List.of()),
            List.of(),
            List.of(new QueryPlan.HostScan(1, table)),
            "",
            Map.of());
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (RootAllocator allocator = new RootAllocator();
        ScanPlanner planner = new ScanPlanner(1);
        EngineHost host = new EngineHost(plan, planner, new FileDecoder(), allocator);
        ArrowSchema schema = ArrowSchema.allocateNew(allocator);
        ArrowArray array = ArrowArray.allocateNew(allocator)) {
      thread.setContextClassLoader(null);
      byte[] request =
          BatchRequest.newBuilder()
              .setHostScan(HostScan.newBuilder().setScanId(1))
              .setBatchRows(10)
              .build()
              .toByteArray();
      long reader = host.openBatches(request, schema.memoryAddress());
      host.nextBatch(reader, array.memoryAddress());
      assertNull(thread.getContextClassLoader());
      schema.release();
      array.release();
    } finally {
      thread.setContextClassLoader(before);
    }
    ClassLoader own = EngineHost.class.getClassLoader();
    assertEquals(List.of(own, own), seen);
  }

  private static CloseableIterable<StructLike> rows(List<ClassLoader> seen) {
    seen.add(Thread.currentThread().getContextClassLoader());
    return CloseableIterable.transform(
        CloseableIterable.withNoopClose(List.of(1)),
        value -> {
          seen.add(Thread.currentThread().getContextClassLoader());
          return HostRow.of(value);
        });
  }
}
