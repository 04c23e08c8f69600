package io.fulmar.catalog.host;

/** In which of two forms Iceberg's values stand in Arrow; they differ in three types only. */
public enum ArrowForm {
  /**
   * What SQL shows: uuid is text with dashes in lower case, fixed is Binary. Variants have none.
   */
  SQL,
  /**
   * What the engine asks of a file: uuid is FixedSizeBinary(16), fixed is FixedSizeBinary(n),
   * variant is Struct(metadata: Binary, value: Binary).
   */
  FILE
}
