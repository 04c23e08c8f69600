package io.fulmar.catalog.scan.deletes;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.util.OptionalInt;
import java.util.TreeSet;

/** Deletion vectors and position deletes that tell which one data file they are about. */
final class NamedDeletes {
  /** Different lengths of prefixes that are worth a look-up each. */
  private static final int MAX_LENGTHS = 8;

  private final DeleteFileStore store;
  private final PathIndex vectors;
  private final PathIndex named;
  private final PathStore prefixes = new PathStore();
  private final LongColumn prefixFiles = new LongColumn();
  private final PathIndex prefixed = new PathIndex(prefixes::get);
  private final TreeSet<Integer> lengths = new TreeSet<>();

  NamedDeletes(DeleteFileStore store) {
    this.store = store;
    this.vectors = new PathIndex(store::referenced);
    this.named = new PathIndex(store::referenced);
  }

  /** Takes a position delete, and whether its path is exact or may be cut. */
  @FunctionalInterface
  interface Visitor {
    void visit(int id, boolean exact);
  }

  /**
   * @throws FulmarException INVALID_METADATA if the data file has a vector already (rule R12)
   */
  void addVector(int id, String dataFile) {
    OptionalInt other = vector(dataFile);
    if (other.isPresent()) {
      throw new FulmarException(
          ErrorCode.INVALID_METADATA,
          "The data file %s has two deletion vectors: %s and %s"
              .formatted(dataFile, describe(other.getAsInt()), describe(id)));
    }
    vectors.add(dataFile, id);
  }

  /** A position-delete file with a {@code referenced_data_file}. */
  void addNamed(int id, String dataFile) {
    named.add(dataFile, id);
  }

  /**
   * A position-delete file whose paths all begin with a string, probably the whole path; a writer
   * may have cut it (rule R23).
   *
   * @return false if there are too many lengths of such strings to look each up
   */
  boolean addPrefixed(int id, String prefix) {
    if (!lengths.contains(prefix.length()) && lengths.size() >= MAX_LENGTHS) {
      return false;
    }

    lengths.add(prefix.length());
    prefixFiles.add(id);
    prefixed.add(prefix, prefixes.add(prefix));
    return true;
  }

  OptionalInt vector(String dataFile) {
    int[] found = {-1};
    vectors.forEach(dataFile, dataFile.length(), id -> found[0] = id);
    return found[0] < 0 ? OptionalInt.empty() : OptionalInt.of(found[0]);
  }

  boolean hasPositionDeletes() {
    return !named.isEmpty() || !prefixed.isEmpty();
  }

  void forEachPositionDelete(String dataFile, Visitor visitor) {
    named.forEach(dataFile, dataFile.length(), id -> visitor.visit(id, true));
    for (int length : lengths.headSet(dataFile.length(), true)) {
      boolean exact = length == dataFile.length();
      prefixed.forEach(
          dataFile, length, entry -> visitor.visit((int) prefixFiles.get(entry), exact));
    }
  }

  private String describe(int id) {
    return store.path(id) + " at offset " + store.get(id).contentOffset();
  }
}
