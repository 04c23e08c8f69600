package io.fulmar.catalog.scan;

import io.fulmar.catalog.metadata.TableSnapshot;
import io.fulmar.catalog.scan.deletes.DeleteEntryReader;
import io.fulmar.catalog.scan.deletes.DeleteIndex;
import io.fulmar.catalog.scan.deletes.DeleteIndexBuilder;
import io.fulmar.catalog.scan.deletes.FileDeletes;
import io.fulmar.catalog.scan.deletes.PartitionKey;
import io.fulmar.catalog.scan.prune.ColumnStatistics;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.expressions.Expressions;

/** Data files that stayed through a commit and that some of its deletes may concern. */
final class AffectedFiles implements FileSelection {
  private final DeleteIndex deletes;
  private final SeenPaths renewed;
  private final Predicate<String> stayed;

  private AffectedFiles(DeleteIndex deletes, SeenPaths renewed, Predicate<String> stayed) {
    this.deletes = deletes;
    this.renewed = renewed;
    this.stayed = stayed;
  }

  /** By the deletes that the commit added. */
  static AffectedFiles byAdded(ManifestDifference change, ScanOptions options) {
    Collector added = new Collector(change.after(), options);
    change.addedDeletes(added::add);
    return new AffectedFiles(added.builder.build(), new SeenPaths(), stayed(change));
  }

  /**
   * By the deletes that the commit removed, and files with a new vector: it puts older deletes out
   * of force, and holds their positions only if its writer kept to the format (rule R27).
   */
  static AffectedFiles byRemoved(ManifestDifference change, ScanOptions options) {
    SeenPaths renewed = new SeenPaths();
    change.addedDeletes(
        (manifest, file) -> {
          if (file.format() == FileFormat.PUFFIN && file.referencedDataFile() != null) {
            renewed.add(file.referencedDataFile());
          }
        });
    Collector removed = new Collector(change.before(), options);
    change.removedDeletes(
        (manifest, file) -> {
          String about = file.referencedDataFile();
          if (about == null || !renewed.contains(about)) {
            removed.add(manifest, file);
          }
        });
    return new AffectedFiles(removed.builder.build(), renewed, stayed(change));
  }

  private static Predicate<String> stayed(ManifestDifference change) {
    return path -> !change.isAdded(path) && !change.isRemoved(path);
  }

  boolean isEmpty() {
    return deletes.files().isEmpty() && renewed.isEmpty();
  }

  @Override
  public List<ColumnStatistics> statistics() {
    return deletes.keyColumns();
  }

  @Override
  public synchronized boolean selects(DataFile file, PartitionSpec spec) {
    if (!stayed.test(file.location())) {
      return false;
    }
    if (renewed.contains(file.location())) {
      return true;
    }
    FileDeletes applied =
        deletes.find(
            file.location(),
            file.dataSequenceNumber(),
            PartitionKey.of(spec.specId(), file.partition()),
            deletes.keyColumns().stream().map(column -> column.of(file)).toList());
    return applied.deletionVector().isPresent()
        || !applied.positionDeletes().isEmpty()
        || !applied.groups().isEmpty();
  }

  /** Puts deletes into an index of their own. */
  private static final class Collector {
    private final ScanFilters filters;
    private final DeleteEntryReader reader;
    private final DeleteIndexBuilder builder;

    Collector(TableSnapshot table, ScanOptions options) {
      this.filters =
          new ScanFilters(new ScanRequest(table, Set.of(), Expressions.alwaysTrue(), options));
      this.reader = new DeleteEntryReader(table, options.pruning(), filters.statistics());
      this.builder = new DeleteIndexBuilder(table.location(), reader);
    }

    void add(ManifestFile manifest, DeleteFile file) {
      ScanFilters.Partitioning partitioning = filters.of(manifest);
      reader.read(file, partitioning.spec(), partitioning.filter()).ifPresent(builder::add);
    }
  }
}
