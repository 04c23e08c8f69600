package io.fulmar.reference.compute;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;

/** The error for what this backend does not compute. */
final class Unsupported {
  private Unsupported() {}

  static FulmarException of(String what) {
    return new FulmarException(
            ErrorCode.UNSUPPORTED_SQL, "The reference backend does not support " + what)
        .withHint("SET engine.backend = 'native'.");
  }

  static FulmarException overflow(Object type) {
    return new FulmarException(
        ErrorCode.NUMERIC_OVERFLOW, "A value lies outside the range of " + type);
  }
}
