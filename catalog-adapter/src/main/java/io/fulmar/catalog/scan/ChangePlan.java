package io.fulmar.catalog.scan;

import io.fulmar.catalog.metadata.SnapshotManifests;
import io.fulmar.catalog.metadata.TableSnapshot;
import io.fulmar.catalog.scan.prune.ColumnStatistics;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;

/**
 * A plan over the commits of a range: for each commit the plans of some files of one of its two
 * snapshots, one after another. Which deletes tasks refer to is found in a first pass that keeps
 * those deletes and no tasks; the second pass makes the tasks as they are asked for. Tasks carry
 * the commit as values of the fields of {@link ChangeColumns}.
 */
final class ChangePlan implements ScanPlan {
  private static final int TASKS_AT_ONCE = 256;

  private final ScanPlanner planner;
  private final ScanRequest request;
  private final ChangeRange.Part part;
  private final Deque<Step> waiting = new ArrayDeque<>();
  private final List<DeleteFileRef> files = new ArrayList<>();
  private final List<DeleteGroup> groups = new ArrayList<>();
  private final PlanCounters counters = new PlanCounters();
  private Optional<Open> open = Optional.empty();

  ChangePlan(ScanPlanner planner, ScanRequest request, ChangeRequest changes) {
    this.planner = planner;
    this.request = request;
    this.part = changes.part();
    for (ChangeRange.Commit commit : changes.range().commits()) {
      steps(commit).forEach(this::survey);
    }
  }

  /** One commit's files of one snapshot. */
  private record Source(
      TableSnapshot table, SnapshotManifests manifests, FileSelection selection, Change change) {}

  /** A source that has tasks, with the numbers of its deletes in this plan. */
  private record Step(
      ChangeRange.Commit commit,
      int index,
      Map<Integer, Integer> fileIds,
      Map<Integer, Integer> groupIds) {}

  /** A step whose tasks are being made. */
  private record Open(Step step, Source source, ScanPlan plan) {}

  /** What a commit did with rows. */
  private enum Change {
    INSERT("insert"),
    DELETE("delete");

    private final String text;

    Change(String text) {
      this.text = text;
    }
  }

  private List<Step> steps(ChangeRange.Commit commit) {
    List<Step> steps = new ArrayList<>();
    int count = sources(commit).size();
    for (int i = 0; i < count; i++) {
      steps.add(new Step(commit, i, new HashMap<>(), new HashMap<>()));
    }
    return steps;
  }

  private List<Source> sources(ChangeRange.Commit commit) {
    ManifestDifference change = ManifestDifference.of(request.table(), commit);
    List<Source> sources = new ArrayList<>();
    switch (part) {
      case FILES -> {
        if (change.addsData()) {
          sources.add(
              new Source(
                  change.after(),
                  change.addedManifests(),
                  new Paths(change::isAdded),
                  Change.INSERT));
        }
        if (change.removesData()) {
          sources.add(
              new Source(
                  change.before(),
                  change.removedManifests(),
                  new Paths(change::isRemoved),
                  Change.DELETE));
        }
      }
      case DELETED_BEFORE, DELETED_AFTER ->
          affected(change, AffectedFiles.byAdded(change, request.options()), Change.DELETE)
              .ifPresent(sources::add);
      case RESTORED_BEFORE, RESTORED_AFTER ->
          affected(change, AffectedFiles.byRemoved(change, request.options()), Change.INSERT)
              .ifPresent(sources::add);
    }
    return sources;
  }

  private Optional<Source> affected(
      ManifestDifference change, AffectedFiles files, Change meaning) {
    if (files.isEmpty()) {
      return Optional.empty();
    }
    boolean before =
        part == ChangeRange.Part.DELETED_BEFORE || part == ChangeRange.Part.RESTORED_BEFORE;
    return Optional.of(
        before
            ? new Source(change.before(), change.oldManifests(), files, meaning)
            : new Source(change.after(), change.newManifests(), files, meaning));
  }

  private record Paths(Predicate<String> wanted) implements FileSelection {
    @Override
    public List<ColumnStatistics> statistics() {
      return List.of();
    }

    @Override
    public boolean selects(DataFile file, PartitionSpec spec) {
      return wanted.test(file.location());
    }
  }

  /** Numbers the deletes that a step's tasks refer to; a step without tasks is left out. */
  private void survey(Step step) {
    boolean hasTasks = false;
    try (ScanPlan plan = plan(sources(step.commit()).get(step.index()))) {
      Optional<List<ScanTask>> tasks = plan.next(TASKS_AT_ONCE);
      while (tasks.isPresent()) {
        hasTasks = true;
        tasks.get().forEach(task -> number(task, plan, step));
        tasks = plan.next(TASKS_AT_ONCE);
      }
    }
    if (hasTasks) {
      waiting.add(step);
    }
  }

  private void number(ScanTask task, ScanPlan plan, Step step) {
    task.deletionVector().ifPresent(id -> file(id, plan, step));
    task.positionDeletes().forEach(id -> file(id, plan, step));
    for (int id : task.deleteGroups()) {
      if (!step.groupIds().containsKey(id)) {
        DeleteGroup group = plan.deleteGroups().get(id);
        List<Integer> members =
            group.deleteFiles().stream().map(member -> file(member, plan, step)).toList();
        step.groupIds().put(id, groups.size());
        groups.add(new DeleteGroup(groups.size(), group.fieldIds(), members, group.scope()));
      }
    }
  }

  private int file(int id, ScanPlan plan, Step step) {
    return step.fileIds()
        .computeIfAbsent(
            id,
            unused -> {
              DeleteFileRef ref = plan.deleteFiles().get(id);
              files.add(
                  new DeleteFileRef(
                      files.size(),
                      ref.identity(),
                      ref.location(),
                      ref.format(),
                      ref.fileBytes(),
                      ref.recordCount(),
                      ref.dataSequenceNumber(),
                      ref.contentOffset(),
                      ref.contentBytes(),
                      ref.referencedDataFile()));
              return files.size() - 1;
            });
  }

  /** The columns of the commit are in no file: what is asked of them skips nothing. */
  private ScanPlan plan(Source source) {
    ScanRequest step =
        new ScanRequest(source.table(), request.fieldIds(), filter(request), request.options());
    return planner.plan(step, source.manifests(), source.selection());
  }

  private static Expression filter(ScanRequest request) {
    boolean aboutCommits =
        ChangeColumns.names().stream().anyMatch(name -> request.filter().toString().contains(name));
    return aboutCommits ? Expressions.alwaysTrue() : request.filter();
  }

  @Override
  public List<DeleteFileRef> deleteFiles() {
    return List.copyOf(files);
  }

  @Override
  public List<DeleteGroup> deleteGroups() {
    return List.copyOf(groups);
  }

  @Override
  public Optional<List<ScanTask>> next(int limit) {
    while (true) {
      if (open.isEmpty()) {
        if (waiting.isEmpty()) {
          return Optional.empty();
        }
        Step step = waiting.remove();
        Source source = sources(step.commit()).get(step.index());
        open = Optional.of(new Open(step, source, plan(source)));
      }
      Open current = open.get();
      Optional<List<ScanTask>> tasks = current.plan().next(limit);
      if (tasks.isPresent()) {
        return tasks.map(list -> list.stream().map(task -> numbered(task, current)).toList());
      }
      close();
    }
  }

  private static ScanTask numbered(ScanTask task, Open open) {
    Step step = open.step();
    Snapshot snapshot = step.commit().after();
    Map<Integer, Object> constants = new HashMap<>(task.constants());
    constants.putAll(
        ChangeColumns.values(
            open.source().change().text, step.commit().ordinal(), snapshot.snapshotId()));
    OptionalInt vector =
        task.deletionVector().isPresent()
            ? OptionalInt.of(step.fileIds().get(task.deletionVector().getAsInt()))
            : OptionalInt.empty();
    return new ScanTask(
        task.identity(),
        task.location(),
        task.format(),
        task.fileBytes(),
        task.recordCount(),
        task.start(),
        task.length(),
        task.dataSequenceNumber(),
        task.specId(),
        constants,
        task.nullConstants(),
        task.firstRowId(),
        vector,
        task.positionDeletes().stream().map(step.fileIds()::get).toList(),
        task.deleteGroups().stream().map(step.groupIds()::get).toList(),
        task.partition());
  }

  @Override
  public ScanPlanMetrics metrics() {
    return counters.metrics();
  }

  @Override
  public void close() {
    open.ifPresent(current -> current.plan().close());
    open = Optional.empty();
  }
}
