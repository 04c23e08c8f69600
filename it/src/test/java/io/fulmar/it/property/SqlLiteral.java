package io.fulmar.it.property;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;
import org.apache.iceberg.types.Type;

/** Literals of the model's values, and their order as SQL has it. */
final class SqlLiteral {
  private static final DateTimeFormatter TIMESTAMP =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSSSSS");

  private SqlLiteral() {}

  /** Absent for types that are not filtered by value here. */
  static Optional<String> of(Type type, Object value) {
    return switch (type.typeId()) {
      case BOOLEAN -> Optional.of(value.toString());
      case INTEGER, LONG -> Optional.of(value.toString());
      case STRING -> Optional.of("'" + value + "'");
      case UUID -> Optional.of("'" + value + "'");
      case DECIMAL -> Optional.of(((BigDecimal) value).toPlainString());
      case DATE -> Optional.of("DATE '" + value + "'");
      case TIMESTAMP ->
          value instanceof LocalDateTime time
              ? Optional.of("TIMESTAMP '" + TIMESTAMP.format(time) + "'")
              : Optional.empty();
      default -> Optional.empty();
    };
  }

  static int compare(Object left, Object right) {
    if (left instanceof String text) {
      return Arrays.compare(codePoints(text), codePoints((String) right));
    }
    if (left instanceof UUID uuid) {
      return uuid.toString().compareTo(right.toString());
    }
    if (left instanceof LocalDate date) {
      return date.compareTo((LocalDate) right);
    }
    if (left instanceof LocalDateTime time) {
      return time.compareTo((LocalDateTime) right);
    }
    if (left instanceof Boolean truth) {
      return truth.compareTo((Boolean) right);
    }
    return new BigDecimal(left.toString()).compareTo(new BigDecimal(right.toString()));
  }

  private static int[] codePoints(String text) {
    return text.codePoints().toArray();
  }
}
