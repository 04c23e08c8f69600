package io.fulmar.planner;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Values of a statement's parameters in order: Boolean, Long, Double, java.math.BigDecimal, String,
 * byte[], java.time.LocalDate, LocalTime, LocalDateTime, Instant, or null for NULL.
 */
public final class ParameterValues {
  private static final ParameterValues NONE = new ParameterValues(List.of());

  private final List<Object> values;

  private ParameterValues(List<Object> values) {
    this.values = values;
  }

  public static ParameterValues none() {
    return NONE;
  }

  public static ParameterValues of(Object... values) {
    return new ParameterValues(Collections.unmodifiableList(Arrays.asList(values.clone())));
  }

  /** Unmodifiable; NULL is null. */
  public List<Object> values() {
    return values;
  }
}
