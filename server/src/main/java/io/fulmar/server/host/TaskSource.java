package io.fulmar.server.host;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.scan.DeleteFileRef;
import io.fulmar.catalog.scan.DeleteGroup;
import io.fulmar.catalog.scan.ScanPlan;
import io.fulmar.catalog.scan.ScanPlanMetrics;
import io.fulmar.catalog.scan.ScanTask;
import io.fulmar.engine.plan.DeleteFile;
import io.fulmar.engine.plan.FileTask;
import io.fulmar.engine.plan.TaskBatch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;

/**
 * The tasks of one scan as encoded messages of about a megabyte: delete files first, then their
 * groups, then data files. Calls must not overlap.
 */
final class TaskSource implements AutoCloseable {
  private static final int MESSAGE_BYTES = 1 << 20;
  private static final int TASKS_AT_ONCE = 256;

  private final ScanPlan plan;
  private final TaskEncoder encoder;
  private final Queue<TaskBatch> deletes = new ArrayDeque<>();
  private final Queue<FileTask> pending = new ArrayDeque<>();
  private boolean started;
  private boolean atEnd;

  TaskSource(ScanPlan plan, TaskEncoder encoder) {
    this.plan = requireNonNull(plan, "plan is null");
    this.encoder = requireNonNull(encoder, "encoder is null");
  }

  /** The next message; the last one says so, and so do all after it. */
  byte[] next() {
    if (!started) {
      started = true;
      deletes.addAll(encodeDeletes());
    }
    if (!deletes.isEmpty()) {
      return deletes.remove().toByteArray();
    }

    return nextTasks().toByteArray();
  }

  ScanPlanMetrics metrics() {
    return plan.metrics();
  }

  @Override
  public void close() {
    plan.close();
  }

  private TaskBatch nextTasks() {
    TaskBatch.Builder batch = TaskBatch.newBuilder();
    int bytes = 0;
    while (bytes < MESSAGE_BYTES && fill()) {
      FileTask task = pending.remove();
      bytes += task.getSerializedSize();
      batch.addTasks(task);
    }
    return batch.setEnd(atEnd && pending.isEmpty()).build();
  }

  private boolean fill() {
    if (pending.isEmpty() && !atEnd) {
      Optional<List<ScanTask>> next = plan.next(TASKS_AT_ONCE);
      next.ifPresent(tasks -> tasks.forEach(task -> pending.add(encoder.task(task))));
      atEnd = next.isEmpty();
    }
    return !pending.isEmpty();
  }

  private List<TaskBatch> encodeDeletes() {
    Packer packer = new Packer();
    for (DeleteFileRef file : plan.deleteFiles()) {
      DeleteFile encoded = TaskEncoder.deleteFile(file);
      packer.batch.addDeleteFiles(encoded);
      packer.added(encoded.getSerializedSize());
    }
    for (DeleteGroup group : plan.deleteGroups()) {
      io.fulmar.engine.plan.DeleteGroup encoded = TaskEncoder.deleteGroup(group);
      packer.batch.addDeleteGroups(encoded);
      packer.added(encoded.getSerializedSize());
    }
    return packer.finish();
  }

  /** Ends a message when it is large enough. */
  private static final class Packer {
    private final List<TaskBatch> full = new ArrayList<>();
    private final TaskBatch.Builder batch = TaskBatch.newBuilder();
    private int bytes;

    void added(int size) {
      bytes += size;
      if (bytes >= MESSAGE_BYTES) {
        cut();
      }
    }

    List<TaskBatch> finish() {
      if (bytes > 0) {
        cut();
      }
      return full;
    }

    private void cut() {
      full.add(batch.build());
      batch.clear();
      bytes = 0;
    }
  }
}
