package io.fulmar.it.property;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.PartitionSpec;

/** A live data file, its rows, and the positions that position deletes and vectors hold. */
final class ModelFile {
  private final DataFile file;
  private final PartitionSpec spec;
  private final List<ModelRow> rows = new ArrayList<>();
  private final TreeSet<Long> deletedPositions = new TreeSet<>();
  private long sequence;
  private Optional<DeleteFile> vector = Optional.empty();

  ModelFile(DataFile file, PartitionSpec spec) {
    this.file = file;
    this.spec = spec;
  }

  DataFile file() {
    return file;
  }

  PartitionSpec spec() {
    return spec;
  }

  List<ModelRow> rows() {
    return rows;
  }

  TreeSet<Long> deletedPositions() {
    return deletedPositions;
  }

  long sequence() {
    return sequence;
  }

  void committed(long dataSequence) {
    sequence = dataSequence;
  }

  Optional<DeleteFile> vector() {
    return vector;
  }

  void replaceVector(DeleteFile newer) {
    vector = Optional.of(newer);
  }

  /** Whether the other lies in the same partition of the same spec. */
  boolean neighbours(ModelFile other) {
    return spec.specId() == other.spec.specId() && partition().equals(other.partition());
  }

  private List<String> partition() {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < file.partition().size(); i++) {
      Object value = file.partition().get(i, Object.class);
      values.add(value == null ? "NULL" : "=" + value);
    }
    return values;
  }
}
