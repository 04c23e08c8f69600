package io.fulmar.planner.explain;

import org.apache.calcite.rel.RelFieldCollation;

/** The words behind a sort key. */
final class Ordering {
  private Ordering() {}

  /** Direction and place of NULL, where they are not SQL's default of this server. */
  static String suffix(
      RelFieldCollation.Direction direction, RelFieldCollation.NullDirection nulls) {
    String text = direction.isDescending() ? " DESC" : "";
    if (nulls == RelFieldCollation.NullDirection.UNSPECIFIED
        || nulls == direction.defaultNullDirection()) {
      return text;
    }
    return text + " NULLS " + nulls;
  }
}
