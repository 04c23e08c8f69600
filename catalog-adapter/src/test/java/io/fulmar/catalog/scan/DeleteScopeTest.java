package io.fulmar.catalog.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fulmar.catalog.TestCatalog;
import io.fulmar.catalog.scan.ScanOptions.Pruning;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileMetadata;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.UpdatePartitionSpec;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random histories against the rules R10 to R13, applied one by one. */
final class DeleteScopeTest {
  private static final Schema SCHEMA =
      new Schema(
          Types.NestedField.required(1, "id", Types.LongType.get()),
          Types.NestedField.optional(2, "p", Types.StringType.get()),
          Types.NestedField.optional(3, "q", Types.IntegerType.get()));

  private static final List<String> PARTITIONS =
      List.of("p=a", "p=b", "p=__HIVE_DEFAULT_PARTITION__");

  @TempDir private Path folder;

  /** A file as the model sees it. */
  private record Entry(
      String path, int spec, boolean unpartitioned, String partition, long sequence, String rest) {}

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void plansFollowTheRules(long seed) {
    try (TestCatalog catalog = new TestCatalog(folder);
        ScanPlanner planner = new ScanPlanner(2)) {
      History history = new History(catalog, new Random(seed), seed % 2 == 0 ? 3 : 2);
      for (int commit = 0; commit < 30; commit++) {
        history.commit();
      }

      for (Pruning pruning : Pruning.values()) {
        ScanOptions options = new ScanOptions(Long.MAX_VALUE, pruning);
        ScanRequest request =
            new ScanRequest(catalog.snapshot("t"), Set.of(), Expressions.alwaysTrue(), options);
        assertEquals(history.expected(), applied(planner, request));
      }
      assertTrue(
          history.expected().values().stream().filter(each -> each.length() > 2).count() > 2);
    }
  }

  private static Map<String, String> applied(ScanPlanner planner, ScanRequest request) {
    Map<String, String> applied = new HashMap<>();
    try (ScanPlan plan = planner.plan(request)) {
      for (Optional<List<ScanTask>> tasks = plan.next(7); tasks.isPresent(); tasks = plan.next(7)) {
        for (ScanTask task : tasks.get()) {
          TreeSet<String> deletes = new TreeSet<>();
          task.deletionVector().ifPresent(id -> deletes.add(plan.deleteFiles().get(id).identity()));
          task.positionDeletes().forEach(id -> deletes.add(plan.deleteFiles().get(id).identity()));
          task.deleteGroups().stream()
              .flatMap(group -> plan.deleteGroups().get(group).deleteFiles().stream())
              .map(id -> plan.deleteFiles().get(id))
              .filter(file -> file.dataSequenceNumber() > task.dataSequenceNumber())
              .forEach(file -> deletes.add(file.identity()));
          applied.put(task.identity(), deletes.toString());
        }
      }
    }
    return applied;
  }

  private static final class History {
    private final Random random;
    private final Table table;
    private final int version;
    private final List<Entry> data = new ArrayList<>();
    private final List<Entry> equality = new ArrayList<>();
    private final List<Entry> positions = new ArrayList<>();
    private final Map<String, String> vectors = new HashMap<>();
    private long sequence;
    private int files;

    History(TestCatalog catalog, Random random, int version) {
      this.random = random;
      this.version = version;
      PartitionSpec spec = PartitionSpec.builderFor(SCHEMA).identity("p").build();
      this.table = catalog.create("t", SCHEMA, spec, version);
    }

    void commit() {
      if (random.nextInt(5) == 0) {
        evolve();
        return;
      }

      sequence++;
      RowDelta delta = table.newRowDelta();
      int count = 1 + random.nextInt(4);
      for (int index = 0; index < count; index++) {
        addOne(delta);
      }
      delta.commit();
    }

    Map<String, String> expected() {
      Map<String, String> expected = new HashMap<>();
      for (Entry file : data) {
        TreeSet<String> deletes = new TreeSet<>();
        for (Entry delete : equality) {
          boolean inScope = delete.unpartitioned || samePartition(delete, file);
          if (inScope && file.sequence < delete.sequence) {
            deletes.add(delete.path);
          }
        }
        if (vectors.containsKey(file.path)) {
          deletes.add(vectors.get(file.path));
        } else {
          for (Entry delete : positions) {
            boolean named = delete.rest.isEmpty() || delete.rest.equals(file.path);
            if (named && samePartition(delete, file) && file.sequence <= delete.sequence) {
              deletes.add(delete.path);
            }
          }
        }
        expected.put(file.path, deletes.toString());
      }
      return expected;
    }

    private static boolean samePartition(Entry left, Entry right) {
      return left.spec == right.spec && left.partition.equals(right.partition);
    }

    private void evolve() {
      table.refresh();
      UpdatePartitionSpec update = table.updateSpec();
      boolean hasP = table.spec().fields().stream().anyMatch(field -> field.name().equals("p"));
      if (hasP) {
        update.removeField("p");
      } else {
        update.addField("p");
      }
      update.commit();
    }

    private void addOne(RowDelta delta) {
      int kind = random.nextInt(version == 3 ? 4 : 3);
      PartitionSpec spec = anySpec();
      String partition = spec.isUnpartitioned() ? "" : pick(PARTITIONS);
      String path = "s3://nowhere/" + kind + "/" + files++;
      if (kind == 0 || data.isEmpty()) {
        DataFile file = TestCatalog.data(spec, path, partition);
        delta.addRows(file);
        data.add(entry(path, spec, partition, ""));
      } else if (kind == 1) {
        delta.addDeletes(TestCatalog.equality(spec, path, partition, 1));
        equality.add(entry(path, spec, partition, ""));
      } else if (kind == 2 && version == 2) {
        addPositions(delta, path);
      } else if (kind == 3) {
        addVector(delta, path);
      }
    }

    private void addPositions(RowDelta delta, String path) {
      Entry target = pick(data);
      PartitionSpec spec = table.specs().get(target.spec);
      boolean named = random.nextBoolean();
      FileMetadata.Builder builder =
          TestCatalog.delete(spec, path, target.partition).ofPositionDeletes();
      if (named) {
        builder.withReferencedDataFile(target.path);
      }
      DeleteFile file = builder.build();
      delta.addDeletes(file);
      positions.add(entry(path, spec, target.partition, named ? target.path : ""));
    }

    private void addVector(RowDelta delta, String path) {
      Entry target = pick(data);
      if (vectors.containsKey(target.path)) {
        return;
      }

      PartitionSpec spec = table.specs().get(target.spec);
      DeleteFile file = TestCatalog.vector(spec, path, target.partition, target.path);
      assertEquals(FileContent.POSITION_DELETES, file.content());
      assertEquals(FileFormat.PUFFIN, file.format());
      delta.addDeletes(file);
      vectors.put(target.path, path);
    }

    private Entry entry(String path, PartitionSpec spec, String partition, String rest) {
      return new Entry(path, spec.specId(), spec.isUnpartitioned(), partition, sequence, rest);
    }

    private PartitionSpec anySpec() {
      table.refresh();
      return pick(List.copyOf(table.specs().values()));
    }

    private <T> T pick(List<T> values) {
      return values.get(random.nextInt(values.size()));
    }
  }
}
