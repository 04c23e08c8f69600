package io.fulmar.planner.transport;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.Random;
import org.apache.iceberg.types.Type;

/**
 * Values of a column as a model of SQL has them: Integer, Long, Float, Double, BigDecimal, String,
 * Boolean, LocalDate, LocalDateTime, or null.
 */
final class SqlValues {
  private static final DateTimeFormatter TIMESTAMP =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSSSSSSSS");
  private static final String LETTERS = "ab%_!\\z";

  private SqlValues() {}

  /** A literal: its text, and its value in a form that {@link #compare} knows. */
  record Text(String sql, Object value) {}

  static Text literal(Random random, Predicates.Column column) {
    if (random.nextInt(20) == 0) {
      return new Text("NULL", null);
    }
    Object value = column.values().apply(random);
    while (value == null || isUnwritable(value)) {
      value = column.values().apply(random);
    }
    if (column.type().typeId() == Type.TypeID.INTEGER && random.nextInt(6) == 0) {
      BigDecimal half = BigDecimal.valueOf((Integer) value).add(new BigDecimal("0.5"));
      return new Text(half.toPlainString(), half);
    }
    return write(value);
  }

  private static boolean isUnwritable(Object value) {
    return (value instanceof Float single && !Float.isFinite(single))
        || (value instanceof Double number && !Double.isFinite(number));
  }

  private static Text write(Object value) {
    if (value instanceof Float single) {
      return new Text("CAST(" + single + "E0 AS REAL)", single);
    } else if (value instanceof Double number) {
      boolean negativeZero = number == 0 && 1 / number < 0;
      return new Text(negativeZero ? "-0.0E0" : number + "E0", number);
    } else if (value instanceof String text) {
      return new Text(quoted(text), text);
    } else if (value instanceof LocalDate date) {
      return new Text("DATE '" + date + "'", date);
    } else if (value instanceof LocalDateTime time) {
      return new Text("TIMESTAMP '" + time.format(TIMESTAMP) + "'", time);
    } else if (value instanceof BigDecimal decimal) {
      return new Text(decimal.toPlainString(), decimal);
    }
    return new Text(value.toString(), value);
  }

  static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  static String text(Random random, int length) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
    }
    return text.toString();
  }

  /** SQL's order: NaN equals itself and is the greatest, zeros are equal; empty for NULL. */
  static Optional<Integer> compare(Object left, Object right) {
    if (left == null || right == null) {
      return Optional.empty();
    }
    if (left instanceof Number first && right instanceof Number second) {
      return Optional.of(numbers(first, second));
    }
    if (left instanceof LocalDate first && right instanceof LocalDateTime second) {
      return Optional.of(first.atStartOfDay().compareTo(second));
    }
    if (left instanceof LocalDateTime first && right instanceof LocalDate second) {
      return Optional.of(first.compareTo(second.atStartOfDay()));
    }
    return Optional.of(same(left, right));
  }

  @SuppressWarnings("unchecked")
  private static <T> int same(Object left, Object right) {
    return Integer.signum(((Comparable<T>) left).compareTo((T) right));
  }

  private static int numbers(Number left, Number right) {
    boolean floating =
        left instanceof Float
            || left instanceof Double
            || right instanceof Float
            || right instanceof Double;
    if (floating) {
      double first = left.doubleValue();
      double second = right.doubleValue();
      return first == second ? 0 : Double.compare(first, second);
    }
    return new BigDecimal(left.toString()).compareTo(new BigDecimal(right.toString()));
  }

  static long micros(LocalDateTime time) {
    return time.toEpochSecond(ZoneOffset.UTC) * 1_000_000L + time.getNano() / 1_000;
  }

  static long nanos(LocalDateTime time) {
    return time.toEpochSecond(ZoneOffset.UTC) * 1_000_000_000L + time.getNano();
  }
}
