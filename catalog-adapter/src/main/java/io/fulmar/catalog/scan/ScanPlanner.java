package io.fulmar.catalog.scan;

import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.metadata.SnapshotManifests;
import io.fulmar.catalog.metadata.TableSnapshot;
import io.fulmar.catalog.scan.deletes.DeleteIndex;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.iceberg.ManifestFile;

/**
 * Plans scans, one for the process. Iceberg's own planner is not used: it keeps the statistics of
 * all delete files and walks them for every data file. Safe for use by several threads.
 */
public final class ScanPlanner implements AutoCloseable {
  private static final int IDLE_SECONDS = 30;

  private final ExecutorService pool;
  private final int window;

  /** A planner that reads manifests on as many threads as there are processors, at least two. */
  public ScanPlanner() {
    this(Math.max(2, Runtime.getRuntime().availableProcessors()));
  }

  /**
   * @param threads that read manifests, for all scans together
   */
  public ScanPlanner(int threads) {
    ThreadPoolExecutor threadPool =
        new ThreadPoolExecutor(
            threads,
            threads,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            ScanPlanner::newThread);
    threadPool.allowCoreThreadTimeOut(true);
    this.pool = threadPool;
    this.window = threads + 1;
  }

  /**
   * Reads all delete manifests that may matter, and data manifests as tasks are asked for. The
   * caller closes the plan.
   *
   * @throws FulmarException naming the file at fault
   */
  public ScanPlan plan(ScanRequest request) {
    return request.changes().isPresent()
        ? new ChangePlan(this, request, request.changes().get())
        : plan(request, SnapshotManifests.read(request.table()));
  }

  /** As {@link #plan(ScanRequest)}, with the manifest list already read. */
  public ScanPlan plan(ScanRequest request, SnapshotManifests manifests) {
    return plan(request, manifests, FileSelection.ALL);
  }

  /** As {@link #plan(ScanRequest, SnapshotManifests)}, of some files. */
  ScanPlan plan(ScanRequest request, SnapshotManifests manifests, FileSelection selection) {
    TableSnapshot table = request.table();
    PlanCounters counters = new PlanCounters();
    ScanFilters filters = new ScanFilters(request);
    DeleteIndex deletes =
        new DeleteManifestReader(request, filters, counters).read(manifests, pool, window);

    List<ManifestFile> selected = filters.select(manifests.data(), counters.dataManifestsSkipped);
    DataManifestReader reader =
        new DataManifestReader(table, filters, deletes.keyColumns(), selection, counters);
    return new StreamingScanPlan(
        deletes,
        new ManifestStream<>(pool, selected, reader::open, window),
        new TaskAssembler(request, filters, deletes),
        new DuplicateCheck(table, selected),
        counters);
  }

  @Override
  public void close() {
    pool.shutdownNow();
  }

  private static Thread newThread(Runnable task) {
    Thread thread = new Thread(task, "fulmar-manifests");
    thread.setDaemon(true);
    return thread;
  }
}
