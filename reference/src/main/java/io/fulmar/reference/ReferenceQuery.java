package io.fulmar.reference;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.host.BatchReader;
import io.fulmar.engine.plan.QueryMetrics;
import io.fulmar.planner.backend.BackendQuery;
import io.fulmar.planner.backend.LogicalQuery;
import io.fulmar.planner.backend.ReadBackend;
import io.fulmar.planner.backend.TableRead;
import io.fulmar.planner.explain.LogicalText;
import io.fulmar.planner.validate.HostRelTable;
import io.fulmar.planner.validate.IcebergRelTable;
import io.fulmar.reference.compute.ArrowOutput;
import io.fulmar.reference.compute.RelCompiler;
import io.fulmar.reference.read.RowBudget;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.calcite.linq4j.Enumerator;
import org.apache.calcite.rel.core.TableScan;

/** One run: rows are pulled as batches are asked for. */
final class ReferenceQuery implements BackendQuery {
  private static final int BATCH_ROWS = 1_024;

  private final LogicalQuery query;
  private final ReadBackend reader;
  private final RowBudget budget;
  private final BufferAllocator allocator;
  private final VectorSchemaRoot root;
  private final AtomicBoolean cancelled = new AtomicBoolean();
  private final AtomicLong rows = new AtomicLong();
  private Enumerator<Object[]> enumerator;

  ReferenceQuery(
      LogicalQuery query, ReadBackend reader, RowBudget budget, BufferAllocator allocator) {
    this.query = query;
    this.reader = reader;
    this.budget = budget;
    this.allocator = allocator;
    this.root = VectorSchemaRoot.create(query.schema(), allocator);
  }

  @Override
  public String physicalPlan() {
    return "Reference backend, in this order:\n" + LogicalText.of(query.root());
  }

  @Override
  public VectorSchemaRoot root() {
    return root;
  }

  @Override
  public boolean next() {
    if (enumerator == null) {
      enumerator = new RelCompiler(this::open, budget).compile(query.root()).enumerator();
    }
    root.clear();
    root.allocateNew();
    List<ArrowOutput> outputs = root.getFieldVectors().stream().map(ArrowOutput::of).toList();
    int count = 0;
    while (count < BATCH_ROWS && moveNext()) {
      Object[] row = enumerator.current();
      for (int i = 0; i < outputs.size(); i++) {
        outputs.get(i).set(count, row[i]);
      }
      count++;
    }
    root.setRowCount(count);
    rows.addAndGet(count);
    return count > 0;
  }

  private boolean moveNext() {
    checkCancelled();
    return enumerator.moveNext();
  }

  private void checkCancelled() {
    if (cancelled.get()) {
      throw new FulmarException(ErrorCode.CANCELLED, "The statement was cancelled");
    }
  }

  private BatchReader open(TableScan scan) {
    HostRelTable host = scan.getTable().unwrap(HostRelTable.class);
    if (host != null) {
      return new Cancellable(host.table().open(allocator, BATCH_ROWS));
    }
    IcebergRelTable table = scan.getTable().unwrap(IcebergRelTable.class);
    if (table == null) {
      throw new FulmarException(ErrorCode.INTERNAL_ERROR, "No table behind " + scan);
    }
    TableRead read = new TableRead(table.snapshot(), table.columns(), BATCH_ROWS);
    return new Cancellable(reader.read(read, allocator));
  }

  /** Stops scans that feed a sort or a group, too. */
  private final class Cancellable implements BatchReader {
    private final BatchReader inner;

    Cancellable(BatchReader inner) {
      this.inner = inner;
    }

    @Override
    public VectorSchemaRoot root() {
      return inner.root();
    }

    @Override
    public boolean next() {
      checkCancelled();
      return inner.next();
    }

    @Override
    public void close() {
      inner.close();
    }
  }

  @Override
  public void cancel() {
    cancelled.set(true);
  }

  @Override
  public QueryMetrics metrics() {
    return QueryMetrics.newBuilder().setRows(rows.get()).build();
  }

  @Override
  public void close() {
    if (enumerator != null) {
      enumerator.close();
    }
    root.close();
  }
}
