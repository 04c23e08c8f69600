package io.fulmar.server.result;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.util.List;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** The schema that was announced is the schema of every batch: names, types and nullability. */
final class SchemaContract {
  private SchemaContract() {}

  /**
   * Checks; metadata does not count.
   *
   * @throws FulmarException INTERNAL_ERROR naming the first column that differs
   */
  static void check(Schema announced, Schema actual) {
    List<Field> expected = announced.getFields();
    List<Field> got = actual.getFields();
    if (expected.size() != got.size()) {
      throw new FulmarException(
          ErrorCode.INTERNAL_ERROR,
          "The result has %d columns, %d were announced".formatted(got.size(), expected.size()));
    }

    for (int i = 0; i < expected.size(); i++) {
      if (!same(expected.get(i), got.get(i))) {
        throw new FulmarException(
            ErrorCode.INTERNAL_ERROR,
            "Column %d of the result is %s, announced was %s"
                .formatted(i + 1, got.get(i), expected.get(i)));
      }
    }
  }

  private static boolean same(Field left, Field right) {
    if (!left.getName().equals(right.getName())
        || !left.getType().equals(right.getType())
        || left.isNullable() != right.isNullable()
        || left.getChildren().size() != right.getChildren().size()) {
      return false;
    }

    for (int i = 0; i < left.getChildren().size(); i++) {
      if (!same(left.getChildren().get(i), right.getChildren().get(i))) {
        return false;
      }
    }
    return true;
  }
}
