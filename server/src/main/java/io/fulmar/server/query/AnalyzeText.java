package io.fulmar.server.query;

import io.fulmar.catalog.scan.ScanPlanMetrics;
import io.fulmar.engine.plan.OperatorMetrics;
import io.fulmar.engine.plan.QueryMetrics;
import io.fulmar.engine.plan.ScanMetrics;
import io.fulmar.planner.backend.BackendQuery;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;

/**
 * What a query did, for EXPLAIN ANALYZE: its operators as they are nested, under each its rows,
 * time and spill, and under each scan what planning and reading skipped.
 */
final class AnalyzeText {
  private static final String SCAN = "IcebergScanExec";

  private final StringBuilder text = new StringBuilder();

  private AnalyzeText() {}

  /**
   * @param query at its end
   */
  static String of(BackendQuery query) {
    AnalyzeText lines = new AnalyzeText();
    QueryMetrics metrics = query.metrics();
    if (metrics.getOperatorsCount() == 0) {
      lines.text.append(query.physicalPlan().stripTrailing()).append('\n');
    }
    Map<Integer, ScanPlanMetrics> planning = query.planning();
    Iterator<ScanMetrics> scans = metrics.getScansList().iterator();
    for (OperatorMetrics operator : metrics.getOperatorsList()) {
      lines.operator(operator);
      if (operator.getName().equals(SCAN) && scans.hasNext()) {
        ScanMetrics scan = scans.next();
        lines.scan(scan, operator.getDepth(), planning);
      }
    }
    lines.total(metrics);
    return lines.text.toString();
  }

  private void operator(OperatorMetrics operator) {
    String detail = operator.getDetail().isEmpty() ? "" : ": " + operator.getDetail();
    line(operator.getDepth(), "%s%s", operator.getName(), detail);
    String spilled =
        operator.getSpilledBytes() == 0 ? "" : ", spilled " + size(operator.getSpilledBytes());
    line(
        operator.getDepth() + 2,
        "rows %,d, time %s%s",
        operator.getRows(),
        millis(operator.getElapsedMicros()),
        spilled);
  }

  private void scan(ScanMetrics scan, int depth, Map<Integer, ScanPlanMetrics> planning) {
    ScanPlanMetrics plan = planning.get(scan.getScanId());
    if (plan != null) {
      line(
          depth + 2,
          "planned: data manifests %,d read, %,d skipped; data files %,d, %,d skipped",
          plan.dataManifests(),
          plan.dataManifestsSkipped(),
          plan.dataFiles(),
          plan.dataFilesSkipped());
      line(
          depth + 2,
          "planned: delete manifests %,d read, %,d skipped; delete files %,d, %,d skipped",
          plan.deleteManifests(),
          plan.deleteManifestsSkipped(),
          plan.deleteFiles(),
          plan.deleteFilesSkipped());
    }
    line(
        depth + 2,
        "read: files %,d; row groups %,d of %,d, of them %,d without deleted keys; rows %,d; %s",
        scan.getFiles(),
        scan.getRowGroupsRead(),
        scan.getRowGroupsTotal(),
        scan.getRowGroupsWithoutDeletedKeys(),
        scan.getRowsRead(),
        size(scan.getBytesRead()));
    line(
        depth + 2,
        "deleted: rows %,d by position, %,d by equality; delete files read %,d; keys %,d, of them %,d from the cache; form %s",
        scan.getRowsDeletedByPosition(),
        scan.getRowsDeletedByEquality(),
        scan.getDeleteFilesRead(),
        scan.getDeleteKeys() + scan.getDeleteKeysCached(),
        scan.getDeleteKeysCached(),
        scan.getDeleteFormsCount() == 0 ? "none" : String.join(", ", scan.getDeleteFormsList()));
  }

  private void total(QueryMetrics metrics) {
    line(
        0,
        "Total: rows %,d, time %s, peak memory %s, spilled %s in %,d files",
        metrics.getRows(),
        millis(metrics.getElapsedMicros()),
        size(metrics.getPeakMemoryBytes()),
        size(metrics.getSpilledBytes()),
        metrics.getSpillFiles());
  }

  /** The same text whatever the machine's locale. */
  private void line(int depth, String format, Object... arguments) {
    text.append("  ".repeat(depth))
        .append(String.format(Locale.ROOT, format, arguments))
        .append('\n');
  }

  private static String millis(long micros) {
    return String.format(Locale.ROOT, "%.1f ms", micros / 1_000.0);
  }

  private static String size(long bytes) {
    return bytes < 1 << 20 ? (bytes + 1023) / 1024 + " KB" : (bytes + (1 << 19) >> 20) + " MB";
  }
}
