package io.fulmar.catalog.scan.deletes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fulmar.catalog.TestCatalog;
import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.metadata.TableSnapshot;
import io.fulmar.catalog.scan.ScanOptions.Pruning;
import io.fulmar.catalog.scan.prune.PartitionFilter;
import io.fulmar.catalog.scan.prune.RowFilter;
import io.fulmar.catalog.scan.prune.StatisticsFilter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileMetadata;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestReader;
import org.apache.iceberg.ManifestWriter;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which data files a position delete is about, by what its path bounds tell (rule R23). */
final class PathScopeTest {
  private static final Schema SCHEMA =
      new Schema(Types.NestedField.optional(1, "id", Types.LongType.get()));

  private static final PartitionSpec SPEC = PartitionSpec.unpartitioned();
  private static final PartitionKey HERE = new PartitionKey(0, List.of());
  private static final String FILE = "s3://bucket/data/file-00001.parquet";

  @TempDir private Path folder;
  private TestCatalog catalog;
  private Table table;

  @BeforeEach
  void open() {
    catalog = new TestCatalog(folder);
    table = catalog.create("t", SCHEMA, SPEC, 2);
  }

  @AfterEach
  void close() {
    catalog.close();
  }

  @ParameterizedTest
  @CsvSource({
    "true, s3://bucket/data/file-00001.parquet, s3://bucket/data/file-00001.parquet",
    "true, s3://bucket/data, s3://bucket/data",
    "true, s3://bucket/data/file-0, s3://bucket/data/file-1",
    "true, s3://bucket/z, s3://bucket/a",
    "true, , ",
    "true, s3://bucket/data/file-0, ",
    "false, s3://bucket/data/file-00002.parquet, s3://bucket/data/file-00002.parquet",
    "false, s3://bucket/other, s3://bucket/other",
  })
  void boundsLeaveOutOnlyOthers(boolean applies, String lower, String upper) {
    DeleteIndex index = index(bounded("d", lower, upper));
    assertEquals(applies ? List.of(0) : List.of(), find(index, FILE, 5));
  }

  @Test
  void manyRangesKeepThoseThatMayHoldThePath() {
    DeleteFile[] deletes = new DeleteFile[100];
    for (int file = 0; file < deletes.length; file++) {
      deletes[file] =
          bounded("d" + file, "s3://b/%03d/a".formatted(file), "s3://b/%03d/z".formatted(file));
    }
    DeleteIndex index = index(deletes);
    assertEquals(List.of(42), find(index, "s3://b/042/m", 5));
    assertEquals(List.of(), find(index, "s3://b/042/m", 11));
    assertEquals(List.of(), find(index, "s3://c/042/m", 5));
  }

  @Test
  void aNamedFileOfAnotherPartitionIsAnError() {
    DeleteIndex index = index(bounded("d", FILE, FILE));
    PartitionKey elsewhere = new PartitionKey(1, List.of("x"));
    FulmarException error =
        assertThrows(FulmarException.class, () -> index.find(FILE, 5, elsewhere, List.of()));
    assertEquals(ErrorCode.INVALID_METADATA, error.code());
    assertEquals(List.of(), index.find(FILE, 11, elsewhere, List.of()).positionDeletes());
  }

  private static List<Integer> find(DeleteIndex index, String path, long sequence) {
    return index.find(path, sequence, HERE, List.of()).positionDeletes();
  }

  private DeleteIndex index(DeleteFile... files) {
    TableSnapshot snapshot = catalog.snapshot("t");
    StatisticsFilter statistics = new StatisticsFilter(RowFilter.TRUE, SCHEMA, snapshot.metadata());
    DeleteEntryReader reader = new DeleteEntryReader(snapshot, Pruning.ENABLED, statistics);
    DeleteIndexBuilder builder = new DeleteIndexBuilder(snapshot.location(), reader);
    PartitionFilter partitions = new PartitionFilter(RowFilter.TRUE, SPEC);
    for (DeleteFile file : committed(files)) {
      builder.add(reader.read(file, SPEC, partitions).orElseThrow());
    }
    return builder.build();
  }

  /** Through a manifest, so that files have the sequence number 10. */
  private List<DeleteFile> committed(DeleteFile... files) {
    String path = table.location() + "/metadata/m.avro";
    ManifestWriter<DeleteFile> writer =
        ManifestFiles.writeDeleteManifest(2, SPEC, table.io().newOutputFile(path), 1L);
    List<DeleteFile> read = new ArrayList<>();
    try {
      try (writer) {
        for (DeleteFile file : files) {
          writer.add(file, 10);
        }
      }
      try (ManifestReader<DeleteFile> reader =
          ManifestFiles.readDeleteManifest(writer.toManifestFile(), table.io(), Map.of(0, SPEC))) {
        reader.forEach(read::add);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return read;
  }

  private static DeleteFile bounded(String path, String lower, String upper) {
    FileMetadata.Builder builder = TestCatalog.delete(SPEC, path, "").ofPositionDeletes();
    return builder
        .withMetrics(new Metrics(1L, null, null, null, null, bound(lower), bound(upper)))
        .build();
  }

  private static Map<Integer, ByteBuffer> bound(String text) {
    return text == null
        ? Map.of()
        : Map.of(
            MetadataColumns.DELETE_FILE_PATH.fieldId(),
            ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
  }
}
