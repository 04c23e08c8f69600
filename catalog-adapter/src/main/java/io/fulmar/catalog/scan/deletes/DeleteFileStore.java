package io.fulmar.catalog.scan.deletes;

import io.fulmar.catalog.metadata.LocationMapper;
import io.fulmar.catalog.scan.DeleteFileRef;
import java.util.AbstractList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.RandomAccess;
import org.apache.iceberg.FileFormat;

/** The delete files of a plan, as columns; references are made when asked for. */
final class DeleteFileStore extends AbstractList<DeleteFileRef> implements RandomAccess {
  private static final FileFormat[] FORMATS = FileFormat.values();

  private final LocationMapper location;
  private final PathStore paths = new PathStore();
  private final PathStore referenced = new PathStore();
  private final LongColumn referencedIndex = new LongColumn();
  private final LongColumn formats = new LongColumn();
  private final LongColumn fileBytes = new LongColumn();
  private final LongColumn records = new LongColumn();
  private final LongColumn sequences = new LongColumn();
  private final LongColumn contentOffsets = new LongColumn();
  private final LongColumn contentBytes = new LongColumn();
  private final LongColumn scopes = new LongColumn();

  DeleteFileStore(LocationMapper location) {
    this.location = location;
  }

  /**
   * @param scope number of the partition
   * @return the id
   */
  int add(DeleteEntry entry, int scope) {
    int id = paths.add(entry.path());
    referencedIndex.add(entry.referencedDataFile().map(referenced::add).orElse(-1));
    formats.add(entry.format().ordinal());
    fileBytes.add(entry.fileBytes());
    records.add(entry.recordCount());
    sequences.add(entry.dataSequenceNumber());
    contentOffsets.add(entry.contentOffset());
    contentBytes.add(entry.contentBytes());
    scopes.add(scope);
    return id;
  }

  String path(int id) {
    return paths.get(id);
  }

  /** The data file that a delete names; only for those that do. */
  String referenced(int id) {
    return referenced.get((int) referencedIndex.get(id));
  }

  long sequence(int id) {
    return sequences.get(id);
  }

  int scope(int id) {
    return (int) scopes.get(id);
  }

  List<DeleteFileRef> view() {
    return this;
  }

  @Override
  public DeleteFileRef get(int id) {
    Objects.checkIndex(id, size());
    String identity = paths.get(id);
    int target = (int) referencedIndex.get(id);
    return new DeleteFileRef(
        id,
        identity,
        location.map(identity),
        FORMATS[(int) formats.get(id)],
        fileBytes.get(id),
        records.get(id),
        sequences.get(id),
        contentOffsets.get(id),
        contentBytes.get(id),
        target < 0 ? Optional.empty() : Optional.of(referenced.get(target)));
  }

  @Override
  public int size() {
    return paths.size();
  }
}
