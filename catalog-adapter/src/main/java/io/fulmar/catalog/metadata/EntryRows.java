package io.fulmar.catalog.metadata;

import io.fulmar.catalog.error.FileErrors;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.InternalData;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.CloseableIterator;
import org.apache.iceberg.types.Types;

/**
 * Entries of one manifest as they are written, those of removed files too: what Iceberg's readers
 * of files do not tell. Tuples have the manifest's own partition type, fields of dropped columns
 * included. Every failure names the manifest. Not safe for use by several threads.
 */
public final class EntryRows implements AutoCloseable {
  private final ManifestFile manifest;
  private final CloseableIterable<StructLike> rows;
  private final CloseableIterator<StructLike> iterator;

  private EntryRows(TableSnapshot table, ManifestFile manifest) {
    this.manifest = manifest;
    try {
      PartitionSpec spec = ManifestSpecs.of(table.metadata(), manifest);
      this.rows =
          InternalData.read(FileFormat.AVRO, table.io().newInputFile(manifest))
              .project(schema(spec.partitionType()))
              .build();
      this.iterator = rows.iterator();
    } catch (RuntimeException e) {
      throw failure(e);
    }
  }

  /** Opens a manifest of either kind. */
  public static EntryRows open(TableSnapshot table, ManifestFile manifest) {
    return new EntryRows(table, manifest);
  }

  /** What a commit did with a file. */
  public enum Status {
    EXISTING,
    ADDED,
    REMOVED
  }

  /**
   * One entry.
   *
   * @param snapshotId that added or removed the file; absent where the writer left it out
   * @param partition under the manifest's spec
   */
  public record Entry(
      Status status,
      Optional<Long> snapshotId,
      FileContent content,
      String path,
      StructLike partition,
      long recordCount,
      long fileBytes) {}

  /** Whether an entry follows. */
  public boolean hasNext() {
    try {
      return iterator.hasNext();
    } catch (RuntimeException e) {
      throw failure(e);
    }
  }

  /** The next entry. */
  public Entry next() {
    try {
      return entry(iterator.next());
    } catch (RuntimeException e) {
      throw failure(e);
    }
  }

  @Override
  public void close() {
    try {
      iterator.close();
      rows.close();
    } catch (IOException | RuntimeException e) {
      throw failure(e);
    }
  }

  /** The snapshot of an added entry may be left to the manifest list (rule R02). */
  private Entry entry(StructLike row) {
    Status status = Status.values()[row.get(0, Integer.class)];
    Long snapshotId = row.get(1, Long.class);
    StructLike file = row.get(2, StructLike.class);
    Integer content = file.get(0, Integer.class);
    return new Entry(
        status,
        Optional.ofNullable(snapshotId).or(() -> Optional.ofNullable(manifest.snapshotId())),
        FileContent.values()[Objects.requireNonNullElse(content, 0)],
        file.get(1, CharSequence.class).toString(),
        file.get(2, StructLike.class),
        file.get(3, Long.class),
        file.get(4, Long.class));
  }

  private RuntimeException failure(Exception cause) {
    return FileErrors.metadata("manifest", manifest.path(), cause);
  }

  private static Schema schema(Types.StructType partition) {
    Types.StructType file =
        Types.StructType.of(
            DataFile.CONTENT,
            DataFile.FILE_PATH,
            Types.NestedField.required(
                DataFile.PARTITION_ID, DataFile.PARTITION_NAME, partition, DataFile.PARTITION_DOC),
            DataFile.RECORD_COUNT,
            DataFile.FILE_SIZE);
    return new Schema(
        Types.NestedField.required(0, "status", Types.IntegerType.get()),
        Types.NestedField.optional(1, "snapshot_id", Types.LongType.get()),
        Types.NestedField.required(2, "data_file", file));
  }
}
