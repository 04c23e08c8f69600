package io.fulmar.catalog.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fulmar.catalog.TestCatalog;
import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.metadata.TableSnapshot;
import io.fulmar.catalog.scan.ChangeRange.Part;
import io.fulmar.catalog.scan.ScanOptions.Pruning;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileMetadata;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which files of which commits a scan of changes reads, with which deletes. */
final class ChangePlanTest {
  private static final Schema SCHEMA =
      new Schema(Types.NestedField.optional(1, "id", Types.LongType.get()));
  private static final PartitionSpec NONE = PartitionSpec.unpartitioned();

  @TempDir private Path folder;
  private TestCatalog catalog;
  private ScanPlanner planner;
  private Table table;

  @BeforeEach
  void open() {
    catalog = new TestCatalog(folder);
    planner = new ScanPlanner(2);
    table = catalog.create("t", SCHEMA, NONE, 2);
  }

  @AfterEach
  void close() {
    planner.close();
    catalog.close();
  }

  @Test
  void addedAndRemovedFiles() {
    DataFile a = add("a");
    add("b");
    table.newDelete().deleteFile(a).commit();
    assertEquals(
        List.of("a insert 0", "b insert 1", "a delete 2"), tasks(Part.FILES, Optional.empty()));
    assertEquals(List.of(), tasks(Part.DELETED_BEFORE, Optional.empty()));
  }

  @Test
  void rewritesAreNoChanges() {
    DataFile a = add("a");
    long first = table.currentSnapshot().snapshotId();
    table.newRewrite().deleteFile(a).addFile(TestCatalog.data(NONE, "packed", "")).commit();
    add("b");
    assertEquals(List.of("b insert 0"), tasks(Part.FILES, Optional.of(first)));
  }

  @Test
  void filesThatStayedAreReadOnBothSidesOfTheirDeletes() {
    add("a");
    DeleteFile old = equality("eq1");
    table.newRowDelta().addDeletes(old).commit();
    DataFile later = TestCatalog.data(NONE, "b", "");
    table.newRowDelta().addRows(later).addDeletes(equality("eq2")).commit();
    assertEquals(List.of("a insert 0", "b insert 2"), tasks(Part.FILES, Optional.empty()));
    assertEquals(
        List.of("a delete 1", "a delete 2 after eq1"),
        tasks(Part.DELETED_BEFORE, Optional.empty()));
    assertEquals(
        List.of("a delete 1 after eq1", "a delete 2 after eq1 eq2"),
        tasks(Part.DELETED_AFTER, Optional.empty()));
    assertEquals(List.of(), tasks(Part.RESTORED_AFTER, Optional.empty()));
  }

  @Test
  void deletesThatGoAwayMayRestoreRows() {
    add("a");
    DeleteFile old = equality("eq1");
    table.newRowDelta().addDeletes(old).commit();
    long deleted = table.currentSnapshot().snapshotId();
    table.newRowDelta().addRows(TestCatalog.data(NONE, "b", "")).removeDeletes(old).commit();
    assertEquals(List.of("a insert 0"), tasks(Part.RESTORED_AFTER, Optional.of(deleted)));
    assertEquals(
        List.of("a insert 0 after eq1"), tasks(Part.RESTORED_BEFORE, Optional.of(deleted)));
  }

  @Test
  void aStartThatIsNoAncestorIsRefused() {
    add("a");
    long first = table.currentSnapshot().snapshotId();
    add("b");
    TableSnapshot pinned = catalog.snapshot("t");
    long second = table.currentSnapshot().snapshotId();
    for (FulmarException error :
        List.of(
            assertThrows(
                FulmarException.class, () -> ChangeRange.of(pinned, Optional.of(second), first)),
            assertThrows(
                FulmarException.class, () -> ChangeRange.of(pinned, Optional.of(7L), second)),
            assertThrows(
                FulmarException.class, () -> ChangeRange.of(pinned, Optional.empty(), 7L)))) {
      assertEquals(ErrorCode.UNKNOWN_SNAPSHOT, error.code());
    }
    assertEquals(List.of(), ChangeRange.of(pinned, Optional.of(second), second).commits());
  }

  private DataFile add(String name) {
    DataFile file = TestCatalog.data(NONE, name, "");
    table.newFastAppend().appendFile(file).commit();
    return file;
  }

  private static DeleteFile equality(String name) {
    return FileMetadata.deleteFileBuilder(NONE)
        .ofEqualityDeletes(1)
        .withPath("mem://" + name)
        .withFormat(FileFormat.PARQUET)
        .withFileSizeInBytes(10)
        .withRecordCount(3)
        .build();
  }

  /** {@code file, change, ordinal}, and the deletes that apply. */
  private List<String> tasks(Part part, Optional<Long> from) {
    TableSnapshot pinned = catalog.snapshot("t");
    ChangeRange range = ChangeRange.of(pinned, from, pinned.snapshot().orElseThrow().snapshotId());
    ScanRequest request =
        new ScanRequest(
            pinned,
            Set.of(),
            Expressions.alwaysTrue(),
            new ScanOptions(Long.MAX_VALUE, Pruning.ENABLED),
            Optional.of(new ChangeRequest(range, part)));
    List<String> found = new ArrayList<>();
    try (ScanPlan plan = planner.plan(request)) {
      for (Optional<List<ScanTask>> next = plan.next(10); next.isPresent(); next = plan.next(10)) {
        next.get().forEach(task -> found.add(text(task, plan)));
      }
    }
    return found;
  }

  private static String text(ScanTask task, ScanPlan plan) {
    StringBuilder text = new StringBuilder(name(task.identity()));
    text.append(' ').append(task.constants().get(MetadataColumns.CHANGE_TYPE.fieldId()));
    text.append(' ').append(task.constants().get(MetadataColumns.CHANGE_ORDINAL.fieldId()));
    List<String> deletes =
        task.deleteGroups().stream()
            .flatMap(group -> plan.deleteGroups().get(group).deleteFiles().stream())
            .map(file -> name(plan.deleteFiles().get(file).identity()))
            .sorted()
            .toList();
    return deletes.isEmpty() ? text.toString() : text + " after " + String.join(" ", deletes);
  }

  private static String name(String path) {
    String file = path.substring(path.lastIndexOf('/') + 1);
    return file.contains(".") ? file.substring(0, file.indexOf('.')) : file;
  }
}
