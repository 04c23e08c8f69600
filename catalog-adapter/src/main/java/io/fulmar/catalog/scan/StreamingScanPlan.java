package io.fulmar.catalog.scan;

import io.fulmar.catalog.scan.deletes.DeleteIndex;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** Tasks made as data manifests are read. */
final class StreamingScanPlan implements ScanPlan {
  private final DeleteIndex deletes;
  private final ManifestStream<DataCandidate> candidates;
  private final TaskAssembler assembler;
  private final DuplicateCheck duplicates;
  private final PlanCounters counters;
  private final Deque<DataCandidate> waiting = new ArrayDeque<>();
  private final Deque<ScanTask> ready = new ArrayDeque<>();

  StreamingScanPlan(
      DeleteIndex deletes,
      ManifestStream<DataCandidate> candidates,
      TaskAssembler assembler,
      DuplicateCheck duplicates,
      PlanCounters counters) {
    this.deletes = deletes;
    this.candidates = candidates;
    this.assembler = assembler;
    this.duplicates = duplicates;
    this.counters = counters;
  }

  @Override
  public List<DeleteFileRef> deleteFiles() {
    return deletes.files();
  }

  @Override
  public List<DeleteGroup> deleteGroups() {
    return deletes.groups();
  }

  @Override
  public Optional<List<ScanTask>> next(int limit) {
    if (limit <= 0) {
      throw new IllegalArgumentException("Limit must be positive: " + limit);
    }

    if (ready.isEmpty() && waiting.isEmpty()) {
      candidates.next().ifPresent(waiting::addAll);
    }

    List<ScanTask> tasks = new ArrayList<>(Math.min(limit, ready.size() + waiting.size()));
    while (tasks.size() < limit && assembleOne()) {
      tasks.add(ready.remove());
    }
    return tasks.isEmpty() ? Optional.empty() : Optional.of(tasks);
  }

  @Override
  public ScanPlanMetrics metrics() {
    return counters.metrics();
  }

  @Override
  public void close() {
    candidates.close();
    waiting.clear();
    ready.clear();
  }

  private boolean assembleOne() {
    while (ready.isEmpty() && !waiting.isEmpty()) {
      DataCandidate file = waiting.remove();
      duplicates.add(file.path());
      ready.addAll(assembler.assemble(file));
    }
    return !ready.isEmpty();
  }
}
