package io.fulmar.catalog.scan;

import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.FileFormat;

/**
 * Cuts large Parquet files: at the starts of row groups that the metadata tells, else at fixed
 * distances, since a row group belongs to the split that holds its first byte. ORC and Avro files
 * stay whole.
 */
final class FileSplitter {
  private final long splitBytes;

  FileSplitter(long splitBytes) {
    this.splitBytes = splitBytes;
  }

  /** A part of a file. */
  record Split(long start, long length) {}

  List<Split> split(DataCandidate file) {
    if (file.format() != FileFormat.PARQUET || file.fileBytes() <= splitBytes) {
      return List.of(new Split(0, file.fileBytes()));
    }

    List<Split> splits = new ArrayList<>();
    long start = 0;
    for (long cut : cuts(file)) {
      splits.add(new Split(start, cut - start));
      start = cut;
    }
    splits.add(new Split(start, file.fileBytes() - start));
    return splits;
  }

  private List<Long> cuts(DataCandidate file) {
    List<Long> cuts = new ArrayList<>();
    if (!isValid(file.splitOffsets(), file.fileBytes())) {
      for (long cut = splitBytes; cut < file.fileBytes(); cut += splitBytes) {
        cuts.add(cut);
      }
      return cuts;
    }

    long start = 0;
    List<Long> offsets = file.splitOffsets();
    for (int group = 1; group < offsets.size(); group++) {
      long end = group + 1 < offsets.size() ? offsets.get(group + 1) : file.fileBytes();
      if (end - start > splitBytes) {
        start = offsets.get(group);
        cuts.add(start);
      }
    }
    return cuts;
  }

  private static boolean isValid(List<Long> offsets, long fileBytes) {
    long previous = -1;
    for (long offset : offsets) {
      if (offset <= previous || offset >= fileBytes) {
        return false;
      }
      previous = offset;
    }
    return !offsets.isEmpty();
  }
}
