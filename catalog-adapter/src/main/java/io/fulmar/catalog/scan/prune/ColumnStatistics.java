package io.fulmar.catalog.scan.prune;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Schema;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.TypeUtil;

/**
 * Reads the statistics of one column from files. A column without any may be absent from the file
 * and stand for its default, so nothing is known of it (rules R33, R41).
 *
 * @param placement whether counts can be believed: those of a nested field may leave out rows whose
 *     struct is NULL
 * @param imports whether files may have been imported, which some importers do with milliseconds in
 *     the bounds of microseconds
 */
public record ColumnStatistics(int fieldId, Type type, Placement placement, Imports imports) {
  /** Bounds within this many units of the epoch may be milliseconds of our times. */
  private static final long SUSPECT_MICROS = 100_000_000_000_000L;

  private static final long MILLI_IN_MICROS = 1_000;

  /** Where a field lies. */
  public enum Placement {
    TOP,
    NESTED
  }

  /** Whether a table may hold imported files. */
  public enum Imports {
    NONE,
    POSSIBLE
  }

  /**
   * @param schema that has the field
   */
  public static ColumnStatistics of(int fieldId, Schema schema, TableMetadata metadata) {
    boolean nested = TypeUtil.indexParents(schema.asStruct()).containsKey(fieldId);
    boolean imported = metadata.properties().containsKey(TableProperties.DEFAULT_NAME_MAPPING);
    return new ColumnStatistics(
        fieldId,
        schema.findType(fieldId),
        nested ? Placement.NESTED : Placement.TOP,
        imported ? Imports.POSSIBLE : Imports.NONE);
  }

  /** What a file's statistics tell. */
  public ValueSummary of(ContentFile<?> file) {
    Optional<Long> nulls = count(file.nullValueCounts());
    Optional<Long> nans = count(file.nanValueCounts());
    boolean mayBeNull = placement == Placement.NESTED || nulls.filter(n -> n == 0).isEmpty();
    boolean mayBeNaN = ValueSummary.hasNaN(type) && nans.filter(n -> n == 0).isEmpty();
    if (placement == Placement.TOP && holdsNone(file, nulls, nans)) {
      return ValueSummary.withoutOrdinary(mayBeNull, mayBeNaN);
    }

    return ValueSummary.between(
        mayBeNull,
        mayBeNaN,
        bound(file, file.lowerBounds(), -1),
        bound(file, file.upperBounds(), 1));
  }

  /** Whether every row is known to be NULL or NaN. */
  private boolean holdsNone(ContentFile<?> file, Optional<Long> nulls, Optional<Long> nans) {
    long values = count(file.valueCounts()).orElse(file.recordCount());
    long others = nulls.orElse(0L) + (ValueSummary.hasNaN(type) ? nans.orElse(0L) : 0L);
    return nulls.isPresent() && values == file.recordCount() && others == values;
  }

  private Optional<Long> count(Map<Integer, Long> counts) {
    return Optional.ofNullable(counts).map(each -> each.get(fieldId));
  }

  private Optional<OrderedValue> bound(
      ContentFile<?> file, Map<Integer, ByteBuffer> bounds, int direction) {
    Optional<OrderedValue> decoded =
        Optional.ofNullable(bounds)
            .map(each -> each.get(fieldId))
            .flatMap(bytes -> BoundDecoder.decode(type, bytes));
    return switch (type.typeId()) {
      case TIMESTAMP -> decoded.flatMap(bound -> timestamp(file.format(), bound, direction));
      case TIME -> imports == Imports.POSSIBLE ? Optional.empty() : decoded;
      case TIMESTAMP_NANO -> file.format() == FileFormat.ORC ? Optional.empty() : decoded;
      default -> decoded;
    };
  }

  /** ORC's statistics are cut to milliseconds; imported files may have milliseconds as bounds. */
  private Optional<OrderedValue> timestamp(FileFormat format, OrderedValue bound, int direction) {
    long micros = ((OrderedValue.Whole) bound).value();
    if (imports == Imports.POSSIBLE && Math.abs(micros) < SUSPECT_MICROS) {
      return Optional.empty();
    }
    if (format != FileFormat.ORC || Math.abs(micros) > Long.MAX_VALUE - MILLI_IN_MICROS) {
      return Optional.of(bound);
    }
    return Optional.of(new OrderedValue.Whole(micros + direction * MILLI_IN_MICROS));
  }
}
