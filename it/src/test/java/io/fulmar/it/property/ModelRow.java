package io.fulmar.it.property;

import java.util.Map;

/** A row as it was written, and whether it lives. */
final class ModelRow {
  private final ModelFile file;
  private final long position;
  private final Map<Integer, Object> values;
  private boolean live = true;

  /**
   * @param values by field id, in the types they were written with
   */
  ModelRow(ModelFile file, long position, Map<Integer, Object> values) {
    this.file = file;
    this.position = position;
    this.values = values;
  }

  ModelFile file() {
    return file;
  }

  long position() {
    return position;
  }

  Map<Integer, Object> values() {
    return values;
  }

  boolean isLive() {
    return live;
  }

  void delete() {
    live = false;
  }
}
