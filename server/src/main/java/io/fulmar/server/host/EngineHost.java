package io.fulmar.server.host;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.InvalidProtocolBufferException;
import io.fulmar.catalog.decode.FileDecoder;
import io.fulmar.catalog.decode.FileReadRequest;
import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.host.BatchReader;
import io.fulmar.catalog.scan.ScanPlanMetrics;
import io.fulmar.catalog.scan.ScanPlanner;
import io.fulmar.catalog.scan.ScanRequest;
import io.fulmar.engine.HostCallbacks;
import io.fulmar.engine.plan.BatchRequest;
import io.fulmar.engine.plan.FileRead;
import io.fulmar.planner.QueryPlan;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.arrow.memory.BufferAllocator;

/**
 * What one query's native side asks of Java: tasks of its scans, and batches of files and tables
 * that only Java can read. Scans are planned when their first tasks are asked for.
 *
 * <p>Native threads have no context class loader, and libraries that find their parts by it (file
 * formats, codecs, clients of object stores) would find none: every call runs with this class's.
 */
public final class EngineHost implements HostCallbacks, AutoCloseable {
  private final Map<Integer, ScanRequest> scans;
  private final Map<Integer, QueryPlan.HostScan> hostTables;
  private final ScanPlanner scanPlanner;
  private final FileDecoder decoder;
  private final BufferAllocator allocator;
  private final HostBatches batches;
  private final Map<Integer, TaskSource> tasks = new ConcurrentHashMap<>();

  /**
   * Opens nothing yet.
   *
   * @param allocator gives the memory of batches made in Java
   */
  public EngineHost(
      QueryPlan plan, ScanPlanner scanPlanner, FileDecoder decoder, BufferAllocator allocator) {
    this.scans =
        plan.tableScans().stream()
            .collect(Collectors.toMap(QueryPlan.TableScan::scanId, QueryPlan.TableScan::request));
    this.hostTables =
        plan.hostScans().stream()
            .collect(Collectors.toMap(QueryPlan.HostScan::scanId, Function.identity()));
    this.scanPlanner = requireNonNull(scanPlanner, "scanPlanner is null");
    this.decoder = requireNonNull(decoder, "decoder is null");
    this.allocator = requireNonNull(allocator, "allocator is null");
    this.batches = new HostBatches(allocator);
  }

  @Override
  public byte[] nextTasks(int scanId) {
    return withClassLoader(() -> tasks.computeIfAbsent(scanId, this::openScan).next());
  }

  @Override
  public long openBatches(byte[] batchRequest, long schemaAddress) {
    BatchRequest request = parse(batchRequest);
    return withClassLoader(() -> batches.add(open(request), schemaAddress));
  }

  private BatchReader open(BatchRequest request) {
    return switch (request.getSourceCase()) {
      case FILE -> openFile(request.getFile(), request.getBatchRows());
      case HOST_SCAN -> openTable(request.getHostScan().getScanId(), request.getBatchRows());
      case SOURCE_NOT_SET -> throw internal("A batch request has no source");
    };
  }

  @Override
  public boolean nextBatch(long reader, long arrayAddress) {
    return withClassLoader(() -> batches.next(reader, arrayAddress));
  }

  @Override
  public void closeBatches(long reader) {
    batches.close(reader);
  }

  /** What planning read and skipped so far, by the scan's id. */
  Map<Integer, ScanPlanMetrics> planning() {
    return tasks.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue().metrics()));
  }

  @Override
  public void close() {
    batches.close();
    tasks.values().forEach(TaskSource::close);
  }

  private TaskSource openScan(int scanId) {
    ScanRequest request = scan(scanId);
    return new TaskSource(scanPlanner.plan(request), new TaskEncoder(request.table()));
  }

  private BatchReader openFile(FileRead read, int batchRows) {
    FileReadRequest request = FileReads.toRequest(read);
    return decoder.open(request, scan(read.getScanId()).table().io(), allocator, batchRows);
  }

  private BatchReader openTable(int scanId, int batchRows) {
    QueryPlan.HostScan scan = hostTables.get(scanId);
    if (scan == null) {
      throw internal("The plan has no host scan " + scanId);
    }

    return scan.table().open(allocator, batchRows);
  }

  private ScanRequest scan(int scanId) {
    ScanRequest request = scans.get(scanId);
    if (request == null) {
      throw internal("The plan has no scan " + scanId);
    }

    return request;
  }

  private static <T> T withClassLoader(Supplier<T> call) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(EngineHost.class.getClassLoader());
    try {
      return call.get();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private static BatchRequest parse(byte[] bytes) {
    try {
      return BatchRequest.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new FulmarException(ErrorCode.INTERNAL_ERROR, "A batch request is malformed", e);
    }
  }

  private static FulmarException internal(String message) {
    return new FulmarException(ErrorCode.INTERNAL_ERROR, message);
  }
}
