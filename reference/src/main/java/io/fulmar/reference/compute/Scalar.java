package io.fulmar.reference.compute;

/** An expression over a row. */
@FunctionalInterface
interface Scalar {
  Object eval(Object[] row);

  /** Whether a condition holds: NULL does not. */
  default boolean holds(Object[] row) {
    return Boolean.TRUE.equals(eval(row));
  }
}
