package io.fulmar.reference;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.SourcePosition;
import io.fulmar.planner.backend.BackendPlan;
import io.fulmar.planner.backend.BackendQuery;
import io.fulmar.planner.backend.ComputeBackend;
import io.fulmar.planner.backend.LogicalQuery;
import io.fulmar.planner.backend.ReadBackend;
import io.fulmar.planner.explain.LogicalText;
import io.fulmar.reference.compute.RelCompiler;
import io.fulmar.reference.read.RowBudget;
import io.fulmar.reference.read.SnapshotReader;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;

/** Computes queries in Java over the rows of a {@link ReadBackend}. */
public final class ReferenceBackend implements ComputeBackend {
  private final ReadBackend reader;
  private final long rowLimit;

  /**
   * @param rowLimit rows that one query may hold in memory
   */
  public ReferenceBackend(long rowLimit) {
    this(new SnapshotReader(rowLimit), rowLimit);
  }

  /**
   * @param reader gives the rows of tables, of whatever backend
   */
  public ReferenceBackend(ReadBackend reader, long rowLimit) {
    this.reader = requireNonNull(reader, "reader is null");
    this.rowLimit = rowLimit;
  }

  @Override
  public String name() {
    return "reference";
  }

  /** Compiles once, so that what is not supported fails here. */
  @Override
  public BackendPlan plan(LogicalQuery query) {
    LogicalQuery prepared = Preparation.of(query);
    new RelCompiler(
            scan -> {
              throw new IllegalStateException("Planning reads no rows");
            },
            new RowBudget(rowLimit))
        .compile(prepared.root());
    return new Plan(prepared, LogicalText.of(query.root()));
  }

  private final class Plan implements BackendPlan {
    private final LogicalQuery query;
    private final String text;

    Plan(LogicalQuery query, String text) {
      this.query = query;
      this.text = text;
    }

    @Override
    public String logicalText() {
      return text;
    }

    @Override
    public Map<Integer, SourcePosition> positions() {
      return Map.of();
    }

    @Override
    public BackendQuery start(BufferAllocator allocator) {
      return new ReferenceQuery(query, reader, new RowBudget(rowLimit), allocator);
    }
  }
}
