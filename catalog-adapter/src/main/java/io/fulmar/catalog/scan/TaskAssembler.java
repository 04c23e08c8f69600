package io.fulmar.catalog.scan;

import io.fulmar.catalog.metadata.TableSnapshot;
import io.fulmar.catalog.scan.deletes.DeleteIndex;
import io.fulmar.catalog.scan.deletes.FileDeletes;
import io.fulmar.catalog.scan.deletes.PartitionKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes tasks of data files: finds their deletes and cuts them. */
final class TaskAssembler {
  private final TableSnapshot table;
  private final ScanFilters filters;
  private final DeleteIndex deletes;
  private final FileSplitter splitter;
  private final Map<Integer, PartitionConstants> constants = new HashMap<>();

  TaskAssembler(ScanRequest request, ScanFilters filters, DeleteIndex deletes) {
    this.table = request.table();
    this.filters = filters;
    this.deletes = deletes;
    this.splitter = new FileSplitter(request.options().splitSizeBytes());
  }

  /** The splits of a file, in order. */
  List<ScanTask> assemble(DataCandidate file) {
    FileDeletes applied =
        deletes.find(
            file.path(),
            file.dataSequenceNumber(),
            PartitionKey.of(file.specId(), file.partition()),
            file.keys());
    PartitionConstants.Constants columns =
        constants
            .computeIfAbsent(file.specId(), id -> new PartitionConstants(filters.spec(id)))
            .of(file.partition());
    String location = table.location().map(file.path());
    return splitter.split(file).stream()
        .map(split -> task(file, location, split, columns, applied))
        .toList();
  }

  private static ScanTask task(
      DataCandidate file,
      String location,
      FileSplitter.Split split,
      PartitionConstants.Constants columns,
      FileDeletes applied) {
    return new ScanTask(
        file.path(),
        location,
        file.format(),
        file.fileBytes(),
        file.recordCount(),
        split.start(),
        split.length(),
        file.dataSequenceNumber(),
        file.specId(),
        columns.values(),
        columns.nulls(),
        file.firstRowId(),
        applied.deletionVector(),
        applied.positionDeletes(),
        applied.groups(),
        Optional.of(file.partition()).filter(tuple -> tuple.size() > 0));
  }
}
