package io.fulmar.reference.read;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.metadata.TableSnapshot;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.deletes.PositionDeleteIndex;
import org.apache.iceberg.io.IOUtil;
import org.apache.iceberg.io.SeekableInputStream;
import org.apache.iceberg.types.Types;
import org.roaringbitmap.longlong.Roaring64Bitmap;

/** All position deletes and deletion vectors of a snapshot (rules R11, R12, R22 to R27). */
final class PositionDeletes {
  private static final List<Types.NestedField> COLUMNS =
      List.of(MetadataColumns.DELETE_FILE_PATH, MetadataColumns.DELETE_FILE_POS);

  private final TableSnapshot table;
  private final Map<String, List<Positions>> byPath = new HashMap<>();
  private final Map<String, DeleteFile> vectors = new HashMap<>();

  private PositionDeletes(TableSnapshot table) {
    this.table = table;
  }

  private record Positions(DeleteFile file, Roaring64Bitmap positions) {}

  /** Reads every position delete file; vectors are read when their data file is. */
  static PositionDeletes load(TableSnapshot table, List<DeleteFile> files) {
    PositionDeletes deletes = new PositionDeletes(table);
    for (DeleteFile file : files) {
      if (file.content() == FileContent.POSITION_DELETES) {
        if (file.format() == FileFormat.PUFFIN) {
          deletes.addVector(file);
        } else {
          deletes.addFile(file);
        }
      }
    }
    return deletes;
  }

  private void addVector(DeleteFile file) {
    if (file.referencedDataFile() == null
        || file.contentOffset() == null
        || file.contentSizeInBytes() == null) {
      throw invalid(file, "does not say which data file it is for, or where it lies");
    }
    if (vectors.put(file.referencedDataFile(), file) != null) {
      throw invalid(file, "is the second for " + file.referencedDataFile());
    }
  }

  private void addFile(DeleteFile file) {
    Map<String, Roaring64Bitmap> positions = new HashMap<>();
    long count = 0;
    try (FileRows rows = FileRows.open(FileSource.of(table, file), COLUMNS)) {
      while (rows.hasNext()) {
        Object[] row = rows.next();
        positions
            .computeIfAbsent((String) row[0], path -> new Roaring64Bitmap())
            .addLong((Long) row[1]);
        count++;
      }
    }
    FileRows.checkCount(file, count);
    positions.forEach(
        (path, found) -> {
          if (file.referencedDataFile() == null || file.referencedDataFile().equals(path)) {
            byPath.computeIfAbsent(path, key -> new ArrayList<>()).add(new Positions(file, found));
          }
        });
  }

  /** Tells of each position of a data file whether it is deleted. */
  LongPredicate of(DataFile file) {
    DeleteFile vector = vectors.get(file.location());
    if (vector != null && reaches(vector, file)) {
      return read(vector)::isDeleted;
    }
    Roaring64Bitmap all = new Roaring64Bitmap();
    for (Positions each : byPath.getOrDefault(file.location(), List.of())) {
      if (reaches(each.file(), file)) {
        all.or(each.positions());
      }
    }
    return all::contains;
  }

  private static boolean reaches(DeleteFile delete, DataFile data) {
    return data.dataSequenceNumber() <= delete.dataSequenceNumber()
        && PartitionTuple.of(data).equals(PartitionTuple.of(delete));
  }

  private PositionDeleteIndex read(DeleteFile vector) {
    try (SeekableInputStream stream =
        table.io().newInputFile(vector.location(), vector.fileSizeInBytes()).newStream()) {
      byte[] bytes = new byte[Math.toIntExact(vector.contentSizeInBytes())];
      stream.seek(vector.contentOffset());
      IOUtil.readFully(stream, bytes, 0, bytes.length);
      return PositionDeleteIndex.deserialize(bytes, vector);
    } catch (IOException | RuntimeException e) {
      throw FileRows.failure(vector.location(), e);
    }
  }

  private static FulmarException invalid(DeleteFile file, String fault) {
    return new FulmarException(
        ErrorCode.INVALID_METADATA, "The deletion vector in " + file.location() + " " + fault);
  }
}
