package io.fulmar.catalog.decode;

import java.util.OptionalInt;
import org.apache.iceberg.mapping.MappedField;
import org.apache.iceberg.mapping.MappedFields;
import org.apache.iceberg.mapping.NameMapping;

/**
 * Gives the fields of one struct of a file their ids: the file's own, or those of a name mapping at
 * this depth, where a dot in a name is a letter (rule R32).
 */
final class NameScope {
  private static final NameScope OWN = new NameScope(MappedFields.of(), IdSource.FILE);
  private static final NameScope NOTHING = new NameScope(MappedFields.of(), IdSource.MAPPING);

  private final MappedFields names;
  private final IdSource source;

  private NameScope(MappedFields names, IdSource source) {
    this.names = names;
    this.source = source;
  }

  /** For a file that has ids. */
  static NameScope ownIds() {
    return OWN;
  }

  /** For a file without ids, at its root. */
  static NameScope of(NameMapping mapping) {
    return new NameScope(mapping.asMappedFields(), IdSource.MAPPING);
  }

  /** For a file without ids whose table has no name mapping. */
  static NameScope nothing() {
    return NOTHING;
  }

  OptionalInt id(String name, OptionalInt own) {
    if (source == IdSource.FILE) {
      return own;
    }

    Integer mapped = names.id(name);
    return mapped == null ? OptionalInt.empty() : OptionalInt.of(mapped);
  }

  /**
   * The scope inside a field; list elements are {@code element}, of maps {@code key}, {@code
   * value}.
   */
  NameScope child(String name) {
    if (source == IdSource.FILE) {
      return this;
    }

    Integer mapped = names.id(name);
    MappedField field = mapped == null ? null : names.field(mapped);
    return field == null || field.nestedMapping() == null
        ? NOTHING
        : new NameScope(field.nestedMapping(), IdSource.MAPPING);
  }

  private enum IdSource {
    FILE,
    MAPPING
  }
}
