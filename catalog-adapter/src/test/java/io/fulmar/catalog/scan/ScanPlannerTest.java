package io.fulmar.catalog.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fulmar.catalog.TestCatalog;
import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.metadata.SnapshotManifests;
import io.fulmar.catalog.scan.ScanOptions.Pruning;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ScanPlannerTest {
  private static final Schema SCHEMA =
      new Schema(
          Types.NestedField.required(1, "id", Types.LongType.get()),
          Types.NestedField.optional(2, "p", Types.IntegerType.get()));

  private static final PartitionSpec NONE = PartitionSpec.unpartitioned();
  private static final PartitionSpec BY_P =
      PartitionSpec.builderFor(SCHEMA).identity("p").bucket("id", 4, "b").build();

  private final ScanPlanner planner = new ScanPlanner(2);

  @TempDir private Path folder;
  private TestCatalog catalog;

  @BeforeEach
  void open() {
    catalog = new TestCatalog(folder);
  }

  @AfterEach
  void close() {
    planner.close();
    catalog.close();
  }

  @Test
  void aTableWithoutSnapshotHasNoTasks() {
    catalog.create("t", SCHEMA, NONE, 2);
    assertEquals(List.of(), tasks(Expressions.alwaysTrue()));
  }

  @Test
  void fewRowsReadOneManifest() {
    Table table = catalog.create("t", SCHEMA, NONE, 2);
    for (int file = 0; file < 30; file++) {
      table.newFastAppend().appendFile(TestCatalog.data(NONE, "f" + file, "")).commit();
    }

    try (ScanPlan plan = planner.plan(request(Expressions.alwaysTrue(), Pruning.ENABLED))) {
      assertEquals(1, plan.next(10).orElseThrow().size());
      assertEquals(1, plan.metrics().dataManifests());
    }
    assertEquals(30, tasks(Expressions.alwaysTrue()).size());
  }

  @Test
  void partitionsAndBoundsSkipManifestsAndFiles() {
    Table table = catalog.create("t", SCHEMA, BY_P, 2);
    for (int p = 0; p < 4; p++) {
      table
          .newFastAppend()
          .appendFile(TestCatalog.data(BY_P, "p" + p, "p=" + p + "/b=0"))
          .appendFile(TestCatalog.data(BY_P, "q" + p, "p=" + (p + 10) + "/b=1"))
          .commit();
    }

    Expression filter = Expressions.equal("p", 2);
    try (ScanPlan plan = planner.plan(request(filter, Pruning.ENABLED))) {
      List<String> paths = plan.next(10).orElseThrow().stream().map(ScanTask::identity).toList();
      assertEquals(List.of("p2"), paths);
      assertTrue(plan.next(10).isEmpty());
      assertEquals(
          new ScanPlanMetrics(3, 1, 0, 0, 1, 5, 0, 0),
          plan.metrics(),
          "0..10, 1..11, 2..12 overlap");
    }
    try (ScanPlan plan = planner.plan(request(filter, Pruning.DISABLED))) {
      int files = 0;
      for (Optional<List<ScanTask>> next = plan.next(100);
          next.isPresent();
          next = plan.next(100)) {
        files += next.get().size();
      }
      assertEquals(8, files);
    }
  }

  @Test
  void identityPartitionsGiveConstants() {
    Table table = catalog.create("t", SCHEMA, BY_P, 2);
    table
        .newFastAppend()
        .appendFile(TestCatalog.data(BY_P, "f", "p=7/b=1"))
        .appendFile(TestCatalog.data(BY_P, "g", "p=__HIVE_DEFAULT_PARTITION__/b=1"))
        .commit();

    List<ScanTask> tasks = tasks(Expressions.alwaysTrue());
    assertEquals(Map.of(2, 7), tasks.get(0).constants());
    assertEquals(List.of(), tasks.get(0).nullConstants());
    assertEquals(Map.of(), tasks.get(1).constants());
    assertEquals(List.of(2), tasks.get(1).nullConstants());
    assertEquals(1, tasks.get(1).partition().orElseThrow().get(1, Integer.class));
  }

  @Test
  void rowIdsFollowTheManifest() {
    Table table = catalog.create("t", SCHEMA, NONE, 3);
    table
        .newFastAppend()
        .appendFile(TestCatalog.data(NONE, "f", ""))
        .appendFile(TestCatalog.data(NONE, "g", ""))
        .commit();
    table.newAppend().appendFile(TestCatalog.data(NONE, "h", "")).commit();

    Map<String, OptionalLong> ids = new TreeMap<>();
    tasks(Expressions.alwaysTrue()).forEach(task -> ids.put(task.identity(), task.firstRowId()));
    assertEquals(
        Map.of("f", OptionalLong.of(0), "g", OptionalLong.of(10), "h", OptionalLong.of(20)), ids);
  }

  @Test
  void largeParquetFilesAreCutAtRowGroups() {
    Table table = catalog.create("t", SCHEMA, NONE, 2);
    table
        .newFastAppend()
        .appendFile(file("offsets", FileFormat.PARQUET, List.of(4L, 900L, 1_900L, 2_800L)))
        .appendFile(file("bad", FileFormat.PARQUET, List.of(4L, 5_000L)))
        .appendFile(file("orc", FileFormat.ORC, List.of(3L, 900L)))
        .commit();

    ScanOptions options = new ScanOptions(1_000, Pruning.ENABLED);
    List<String> splits = new ArrayList<>();
    try (ScanPlan plan =
        planner.plan(
            new ScanRequest(catalog.snapshot("t"), Set.of(), Expressions.alwaysTrue(), options))) {
      for (Optional<List<ScanTask>> next = plan.next(2); next.isPresent(); next = plan.next(2)) {
        next.get().forEach(t -> splits.add(t.identity() + " " + t.start() + "+" + t.length()));
        next.get().forEach(task -> assertEquals(10, task.recordCount()));
      }
    }
    assertEquals(
        List.of(
            "offsets 0+900",
            "offsets 900+1000",
            "offsets 1900+900",
            "offsets 2800+200",
            "bad 0+1000",
            "bad 1000+1000",
            "bad 2000+1000",
            "orc 0+3000"),
        splits);
  }

  @Test
  void aPathThatIsLiveTwiceIsAnError() {
    Table table = catalog.create("t", SCHEMA, NONE, 2);
    table.newFastAppend().appendFile(TestCatalog.data(NONE, "twice", "")).commit();
    table.newFastAppend().appendFile(TestCatalog.data(NONE, "twice", "")).commit();
    assertError(ErrorCode.INVALID_METADATA, "twice is live more than once");
  }

  @Test
  void missingFilesAreNamed() throws Exception {
    Table table = catalog.create("t", SCHEMA, NONE, 2);
    table.newFastAppend().appendFile(TestCatalog.data(NONE, "f", "")).commit();
    String manifest = SnapshotManifests.read(catalog.snapshot("t")).data().get(0).path();
    int length = Math.toIntExact(Files.size(Path.of(manifest)));
    Files.delete(Path.of(manifest));
    assertError(ErrorCode.FILE_NOT_FOUND, manifest);

    Files.writeString(Path.of(manifest), "no Avro");
    assertError(ErrorCode.CORRUPT_FILE, manifest);

    Files.writeString(Path.of(manifest), "?".repeat(length));
    assertError(ErrorCode.INVALID_METADATA, manifest);

    String list = table.currentSnapshot().manifestListLocation();
    Files.delete(Path.of(list));
    assertError(ErrorCode.FILE_NOT_FOUND, list);
  }

  @Test
  void deletesKeepToPartitionsWhoseColumnIsGone() {
    PartitionSpec byP = PartitionSpec.builderFor(SCHEMA).identity("p").build();
    Table table = catalog.create("t", SCHEMA, byP, 2);
    table
        .newAppend()
        .appendFile(TestCatalog.data(byP, "one", "p=1"))
        .appendFile(TestCatalog.data(byP, "two", "p=2"))
        .commit();
    table.newRowDelta().addDeletes(TestCatalog.equality(byP, "eq", "p=1", 1)).commit();
    table.updateSpec().removeField("p").commit();
    table.updateSchema().deleteColumn("p").commit();

    List<ScanTask> tasks = tasks(Expressions.alwaysTrue());
    assertEquals(2, tasks.size());
    for (ScanTask task : tasks) {
      int groups = task.identity().equals("one") ? 1 : 0;
      assertEquals(groups, task.deleteGroups().size(), task.identity());
    }
  }

  @Test
  void twoVectorsOfOneFileAreRefused() {
    List<ManifestFile> deletes = new ArrayList<>();
    for (String name : List.of("u", "t")) {
      Table table = catalog.create(name, SCHEMA, NONE, 3);
      table.newAppend().appendFile(TestCatalog.data(NONE, "f", "")).commit();
      DeleteFile vector = TestCatalog.vector(NONE, "dv-" + name, "", "f");
      table.newRowDelta().addDeletes(vector).commit();
      deletes.addAll(SnapshotManifests.read(catalog.snapshot(name)).deletes());
    }

    ScanRequest request = request(Expressions.alwaysTrue(), Pruning.ENABLED);
    SnapshotManifests both = new SnapshotManifests(List.of(), deletes);
    FulmarException error = assertThrows(FulmarException.class, () -> planner.plan(request, both));
    assertEquals(ErrorCode.INVALID_METADATA, error.code());
    for (String part : List.of("file f ", "dv-u", "dv-t")) {
      assertTrue(error.getMessage().contains(part), error.getMessage());
    }
  }

  @Test
  void equalityIdsThatNoSchemaKnowsAreRefused() {
    Table table = catalog.create("t", SCHEMA, NONE, 2);
    table.newAppend().appendFile(TestCatalog.data(NONE, "f", "")).commit();
    table.newRowDelta().addDeletes(TestCatalog.equality(NONE, "eq", "", 99)).commit();
    assertError(ErrorCode.INVALID_METADATA, "eq has the equality id 99");
  }

  private static DataFile file(String path, FileFormat format, List<Long> offsets) {
    return DataFiles.builder(NONE)
        .withPath(path)
        .withFormat(format)
        .withFileSizeInBytes(3_000)
        .withRecordCount(10)
        .withSplitOffsets(offsets)
        .build();
  }

  private void assertError(ErrorCode code, String part) {
    FulmarException error =
        assertThrows(FulmarException.class, () -> tasks(Expressions.alwaysTrue()));
    assertEquals(code, error.code(), error.getMessage());
    assertTrue(error.getMessage().contains(part), error.getMessage());
  }

  private ScanRequest request(Expression filter, Pruning pruning) {
    return new ScanRequest(
        catalog.snapshot("t"), Set.of(), filter, new ScanOptions(Long.MAX_VALUE, pruning));
  }

  private List<ScanTask> tasks(Expression filter) {
    List<ScanTask> tasks = new ArrayList<>();
    try (ScanPlan plan = planner.plan(request(filter, Pruning.ENABLED))) {
      for (Optional<List<ScanTask>> next = plan.next(100);
          next.isPresent();
          next = plan.next(100)) {
        tasks.addAll(next.get());
      }
    }
    return tasks;
  }
}
