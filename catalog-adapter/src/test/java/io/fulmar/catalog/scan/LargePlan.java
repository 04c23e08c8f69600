package io.fulmar.catalog.scan;

import io.fulmar.catalog.TestCatalog;
import io.fulmar.catalog.metadata.SnapshotManifests;
import io.fulmar.catalog.metadata.TableSnapshot;
import io.fulmar.catalog.scan.ScanOptions.Pruning;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileMetadata;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestWriter;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Types;

/**
 * Writes manifests of 100,000 data files and 900,000 deletes of all kinds in 100 partitions, plans
 * them and checks the counts. Run as a program by {@link LargePlanTest}.
 */
public final class LargePlan {
  private static final int DATA_FILES = 100_000;
  private static final int EQUALITY = 300_000;
  private static final int NAMED = 200_000;
  private static final int WIDE = 100;
  private static final int VECTORS = 399_900;
  private static final int PARTITIONS = 100;
  private static final int PER_MANIFEST = 50_000;
  private static final long SNAPSHOT = 1;
  private static final int COLUMNS = 4;

  private final Schema schema = wideSchema();
  private final PartitionSpec spec = PartitionSpec.builderFor(schema).identity("c1").build();

  private LargePlan() {}

  public static void main(String[] arguments) throws IOException {
    new LargePlan().run(Path.of(arguments[0]));
  }

  private void run(Path folder) throws IOException {
    try (TestCatalog catalog = new TestCatalog(folder);
        ScanPlanner planner = new ScanPlanner(2)) {
      Table table = catalog.create("t", schema, spec, 3);
      table.newAppend().appendFile(TestCatalog.data(spec, "x", "c1=1")).commit();
      SnapshotManifests manifests = new SnapshotManifests(data(table), deletes(table));
      long start = System.nanoTime();
      check(planner, catalog.snapshot("t"), manifests);
      System.out.println("planned in " + (System.nanoTime() - start) / 1_000_000 + " ms");
    }
  }

  private static void check(
      ScanPlanner planner, TableSnapshot snapshot, SnapshotManifests manifests) {
    ScanOptions options = new ScanOptions(Long.MAX_VALUE, Pruning.ENABLED);
    ScanRequest request = new ScanRequest(snapshot, Set.of(), Expressions.alwaysTrue(), options);
    long tasks = 0;
    long vectors = 0;
    long positions = 0;
    long groups = 0;
    try (ScanPlan plan = planner.plan(request, manifests)) {
      expect("delete files", EQUALITY + NAMED + WIDE + VECTORS, plan.deleteFiles().size());
      expect("groups", PARTITIONS, plan.deleteGroups().size());
      for (Optional<List<ScanTask>> next = plan.next(1_000);
          next.isPresent();
          next = plan.next(1_000)) {
        for (ScanTask task : next.get()) {
          tasks++;
          vectors += task.deletionVector().isPresent() ? 1 : 0;
          positions += task.positionDeletes().size();
          groups += task.deleteGroups().size();
        }
      }
    }
    expect("tasks", DATA_FILES, tasks);
    expect("vectors", DATA_FILES / 2, vectors);
    expect("position deletes", DATA_FILES / 2 * 3, positions);
    expect("groups of files", DATA_FILES - DATA_FILES / 10, groups);
  }

  private static void expect(String what, long wanted, long found) {
    if (wanted != found) {
      throw new IllegalStateException(what + ": " + found + ", not " + wanted);
    }
  }

  /** Every tenth file has keys that no delete has. */
  private List<ManifestFile> data(Table table) throws IOException {
    List<ManifestFile> manifests = new ArrayList<>();
    for (int first = 0; first < DATA_FILES; first += PER_MANIFEST) {
      ManifestWriter<DataFile> writer =
          ManifestFiles.write(
              3, spec, table.io().newOutputFile(path(table, "data" + first)), SNAPSHOT);
      for (int file = first; file < first + PER_MANIFEST; file++) {
        long key = (file % 10 == 0 ? -1 - file : file) * 10L;
        writer.add(
            DataFiles.builder(spec)
                .withPath(dataPath(file))
                .withFormat(FileFormat.PARQUET)
                .withFileSizeInBytes(1_000)
                .withPartitionPath(partition(file))
                .withMetrics(metrics(key, key + 9))
                .build(),
            1);
      }
      writer.close();
      manifests.add(writer.toManifestFile());
    }
    return manifests;
  }

  private List<ManifestFile> deletes(Table table) throws IOException {
    List<ManifestFile> manifests = new ArrayList<>();
    int total = EQUALITY + NAMED + WIDE + VECTORS;
    for (int first = 0; first < total; first += PER_MANIFEST) {
      ManifestWriter<DeleteFile> writer =
          ManifestFiles.writeDeleteManifest(
              3, spec, table.io().newOutputFile(path(table, "deletes" + first)), SNAPSHOT);
      for (int number = first; number < Math.min(total, first + PER_MANIFEST); number++) {
        writer.add(delete(number), 2);
      }
      writer.close();
      manifests.add(writer.toManifestFile());
    }
    return manifests;
  }

  /** Named positions concern the upper half of the data files, vectors the lower half. */
  private DeleteFile delete(int number) {
    FileMetadata.Builder builder =
        FileMetadata.deleteFileBuilder(spec)
            .withPath("s3://bucket/warehouse/db/t/data/delete-" + number)
            .withFormat(FileFormat.PARQUET)
            .withFileSizeInBytes(100)
            .withRecordCount(1);
    if (number < EQUALITY) {
      int file = number % DATA_FILES;
      return builder
          .withPartitionPath(partition(file))
          .withMetrics(metrics(file * 10L, file * 10L + 9))
          .ofEqualityDeletes(2)
          .build();
    }
    if (number < EQUALITY + NAMED) {
      int file = DATA_FILES / 2 + number % DATA_FILES;
      return positions(builder, file).withReferencedDataFile(dataPath(file)).build();
    }
    if (number < EQUALITY + NAMED + WIDE) {
      return positions(builder, number % PARTITIONS).build();
    }

    int file = vectorTarget(number - EQUALITY - NAMED - WIDE);
    return positions(builder, file)
        .withFormat(FileFormat.PUFFIN)
        .withReferencedDataFile(dataPath(file))
        .withContentOffset(4)
        .withContentSizeInBytes(40)
        .build();
  }

  /** Most vectors are of files that have gone. */
  private static int vectorTarget(int vector) {
    return vector < DATA_FILES / 2 ? vector : 10 * DATA_FILES + vector;
  }

  private static FileMetadata.Builder positions(FileMetadata.Builder builder, int file) {
    return builder.withPartitionPath(partition(file)).ofPositionDeletes();
  }

  private static String dataPath(int file) {
    return "s3://bucket/warehouse/db/t/data/file-with-a-usual-long-name-" + file + ".parquet";
  }

  private static String partition(int file) {
    return "c1=" + file % PARTITIONS;
  }

  private static String path(Table table, String name) {
    return table.location() + "/metadata/" + name + ".avro";
  }

  private static Metrics metrics(long low, long high) {
    Map<Integer, Long> counts = new HashMap<>();
    Map<Integer, Long> zeros = new HashMap<>();
    Map<Integer, ByteBuffer> lower = new HashMap<>();
    Map<Integer, ByteBuffer> upper = new HashMap<>();
    for (int column = 1; column <= COLUMNS; column++) {
      counts.put(column, 10L);
      zeros.put(column, 0L);
      lower.put(column, Conversions.toByteBuffer(Types.LongType.get(), low));
      upper.put(column, Conversions.toByteBuffer(Types.LongType.get(), high));
    }
    return new Metrics(10L, null, counts, zeros, null, lower, upper);
  }

  private static Schema wideSchema() {
    List<Types.NestedField> fields = new ArrayList<>();
    for (int column = 1; column <= COLUMNS; column++) {
      fields.add(Types.NestedField.optional(column, "c" + column, Types.LongType.get()));
    }
    return new Schema(fields);
  }
}
