package io.fulmar.catalog.host;

/** Writes values of one Iceberg type into one Arrow vector; made by {@link ArrowColumnWriters}. */
@FunctionalInterface
public interface ColumnWriter {
  /**
   * Writes one value. Indexes must not decrease from call to call, which lists need.
   *
   * @param value in Iceberg's internal or generic Java form, or null
   */
  void write(int index, Object value);
}
