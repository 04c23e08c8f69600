package io.fulmar.catalog.scan.prune;

import java.util.Optional;
import org.apache.iceberg.types.Type;

/**
 * What is known of the values of one column in one file, or of one partition field.
 *
 * @param nulls whether there may be NULLs
 * @param nans whether there may be NaNs
 * @param ordinary whether there may be values that are neither
 * @param lower no ordinary value is below it
 * @param upper every ordinary value is at most it or, for bytes, begins with it: writers cut bounds
 * @param single whether lower = upper is the only ordinary value
 */
public record ValueSummary(
    boolean nulls,
    boolean nans,
    boolean ordinary,
    Optional<OrderedValue> lower,
    Optional<OrderedValue> upper,
    boolean single) {
  /** Nothing is known. */
  public static final ValueSummary UNKNOWN =
      new ValueSummary(true, true, true, Optional.empty(), Optional.empty(), false);

  private static final ValueSummary ONLY_NULL =
      new ValueSummary(true, false, false, Optional.empty(), Optional.empty(), false);

  private static final ValueSummary ONLY_NAN =
      new ValueSummary(false, true, false, Optional.empty(), Optional.empty(), false);

  /** Of bounds; inverted ones tell nothing. */
  static ValueSummary between(
      boolean nulls, boolean nans, Optional<OrderedValue> lower, Optional<OrderedValue> upper) {
    boolean inverted =
        lower.isPresent()
            && upper.isPresent()
            && OrderedValue.compare(lower.get(), upper.get()) > 0;
    return inverted
        ? new ValueSummary(nulls, nans, true, Optional.empty(), Optional.empty(), false)
        : new ValueSummary(nulls, nans, true, lower, upper, false);
  }

  /** Of one value in Iceberg's internal Java form. */
  static ValueSummary of(Type type, Optional<Object> value) {
    if (value.isEmpty()) {
      return ONLY_NULL;
    }
    if (isNaN(value.get())) {
      return ONLY_NAN;
    }

    Optional<OrderedValue> ordered = OrderedValue.of(type, value.get());
    return ordered.isEmpty()
        ? UNKNOWN
        : new ValueSummary(false, false, true, ordered, ordered, true);
  }

  /** Whether the column may hold NaN at all. */
  static boolean hasNaN(Type type) {
    return type.typeId() == Type.TypeID.FLOAT || type.typeId() == Type.TypeID.DOUBLE;
  }

  /** Whether any ordinary value is absent. */
  static ValueSummary withoutOrdinary(boolean nulls, boolean nans) {
    return new ValueSummary(nulls, nans, false, Optional.empty(), Optional.empty(), false);
  }

  private static boolean isNaN(Object value) {
    return value instanceof Number number
        && (value instanceof Float || value instanceof Double)
        && Double.isNaN(number.doubleValue());
  }
}
