package io.fulmar.catalog.host;

import io.fulmar.catalog.TestCatalog;
import io.fulmar.catalog.metadata.TableSnapshot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.arrow.memory.RootAllocator;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestWriter;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Types;

/**
 * Writes a table of 100,000 files in 100 partitions, a manifest for each, and reads its metadata
 * tables. Run as a program by {@link LargeMetadataTest}.
 */
public final class LargeMetadata {
  private static final int PARTITIONS = 100;
  private static final int FILES = 1_000;
  private static final int COLUMNS = 4;
  private static final int BATCH_ROWS = 8_192;

  private final Schema schema = wideSchema();
  private final PartitionSpec spec = PartitionSpec.builderFor(schema).identity("c1").build();

  private LargeMetadata() {}

  public static void main(String[] arguments) throws IOException {
    new LargeMetadata().run(Path.of(arguments[0]));
  }

  private void run(Path folder) throws IOException {
    try (TestCatalog catalog = new TestCatalog(folder)) {
      Table table = catalog.create("t", schema, spec, 2);
      AppendFiles append = table.newAppend();
      for (int partition = 0; partition < PARTITIONS; partition++) {
        ManifestWriter<DataFile> writer =
            ManifestFiles.write(
                2,
                spec,
                table.io().newOutputFile(table.location() + "/metadata/m" + partition + ".avro"),
                null);
        for (int file = 0; file < FILES; file++) {
          writer.add(file(partition, file));
        }
        writer.close();
        append.appendManifest(writer.toManifestFile());
      }
      append.commit();
      check(catalog.snapshot("t"));
    }
  }

  private static void check(TableSnapshot table) {
    long all = (long) PARTITIONS * FILES;
    Expression one = Expressions.equal("partition.c1", 7L);
    expect("files", all, rows(table, "files", Expressions.alwaysTrue()));
    expect("entries", all, rows(table, "entries", Expressions.alwaysTrue()));
    expect("partitions", PARTITIONS, rows(table, "partitions", Expressions.alwaysTrue()));
    long start = System.nanoTime();
    expect("files of one", FILES, rows(table, "files", one));
    expect("partitions of one", 1, rows(table, "partitions", one));
    expect(
        "entries of one",
        FILES,
        rows(table, "entries", Expressions.equal("data_file.partition.c1", 7L)));
    expect("no delete files", 0, rows(table, "files", Expressions.greaterThan("content", 0)));
    long millis = (System.nanoTime() - start) / 1_000_000;
    System.out.println("one partition in " + millis + " ms");
  }

  private static long rows(TableSnapshot table, String name, Expression filter) {
    HostTable rows = MetadataTables.find(table, name).orElseThrow().filtered(filter);
    long count = 0;
    try (RootAllocator allocator = new RootAllocator();
        BatchReader reader = rows.open(allocator, BATCH_ROWS)) {
      while (reader.next()) {
        count += reader.root().getRowCount();
      }
    }
    return count;
  }

  private static void expect(String what, long wanted, long found) {
    if (wanted != found) {
      throw new IllegalStateException(what + ": " + found + ", not " + wanted);
    }
  }

  private DataFile file(int partition, int number) {
    Map<Integer, Long> counts = new HashMap<>();
    Map<Integer, ByteBuffer> bounds = new HashMap<>();
    for (int column = 1; column <= COLUMNS; column++) {
      counts.put(column, 10L);
      bounds.put(column, Conversions.toByteBuffer(Types.LongType.get(), (long) number));
    }
    return DataFiles.builder(spec)
        .withPath("s3://bucket/warehouse/db/t/data/part-" + partition + "/file-" + number)
        .withFormat(FileFormat.PARQUET)
        .withFileSizeInBytes(1_000)
        .withPartitionPath("c1=" + partition)
        .withMetrics(new Metrics(10L, null, counts, counts, null, bounds, bounds))
        .build();
  }

  private static Schema wideSchema() {
    Types.NestedField[] fields = new Types.NestedField[COLUMNS];
    for (int column = 1; column <= COLUMNS; column++) {
      fields[column - 1] = Types.NestedField.optional(column, "c" + column, Types.LongType.get());
    }
    return new Schema(fields);
  }
}
