package io.fulmar.planner;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.SourcePosition;
import io.fulmar.catalog.host.HostTable;
import io.fulmar.catalog.scan.ScanRequest;
import io.fulmar.engine.plan.Plan;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * All that executing a query needs.
 *
 * @param plan for the engine
 * @param schema the announced schema
 * @param tableScans one for each {@code ScanRel}
 * @param hostScans one for each {@code HostScanRel}
 * @param logicalText the logical plan for EXPLAIN, delete anti-joins included
 * @param positions source ranges of the plan's node ids
 */
public record QueryPlan(
    Plan plan,
    Schema schema,
    List<TableScan> tableScans,
    List<HostScan> hostScans,
    String logicalText,
    Map<Integer, SourcePosition> positions) {
  public QueryPlan {
    requireNonNull(plan, "plan is null");
    requireNonNull(schema, "schema is null");
    tableScans = List.copyOf(tableScans);
    hostScans = List.copyOf(hostScans);
    requireNonNull(logicalText, "logicalText is null");
    positions = Map.copyOf(positions);
  }

  /** The files behind a {@code ScanRel}. */
  public record TableScan(int scanId, ScanRequest request) {}

  /** The rows behind a {@code HostScanRel}. */
  public record HostScan(int scanId, HostTable table) {}
}
