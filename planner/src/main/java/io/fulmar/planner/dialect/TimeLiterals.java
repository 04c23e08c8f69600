package io.fulmar.planner.dialect;

import io.fulmar.planner.type.TimeText;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.Locale;
import java.util.Optional;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlUnknownLiteral;

/**
 * {@code TIMESTAMP '2024-01-31T12:00:00Z'}, {@code TIMESTAMP WITH TIME ZONE '2024-01-31
 * 12:00:00+02:00'} and {@code DATE '2024-01-31T00:00:00Z'}: ISO forms become the SQL form. An
 * offset or a zone moves the value to UTC; a timestamp with time zone is an instant, in UTC where
 * its text has no zone.
 */
final class TimeLiterals {
  private static final DateTimeFormatter SQL_TIMESTAMP =
      new DateTimeFormatterBuilder()
          .appendPattern("uuuu-MM-dd HH:mm:ss")
          .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
          .toFormatter(Locale.ROOT);

  private TimeLiterals() {}

  static SqlLiteral normalize(SqlUnknownLiteral literal) {
    String text = literal.getValueAs(String.class);
    Optional<LocalDateTime> value = TimeText.parse(text).map(TimeText.Parsed::utc);
    if (value.isEmpty()) {
      return literal;
    }
    return switch (literal.tag) {
      case "TIMESTAMP", "DATETIME" ->
          replace(literal, "TIMESTAMP", SQL_TIMESTAMP.format(value.get()));
      case "TIMESTAMP WITH TIME ZONE", "TIMESTAMP WITH LOCAL TIME ZONE" ->
          replace(literal, "TIMESTAMP WITH LOCAL TIME ZONE", SQL_TIMESTAMP.format(value.get()));
      case "DATE" -> replace(literal, "DATE", value.get().toLocalDate().toString());
      default -> literal;
    };
  }

  private static SqlLiteral replace(SqlUnknownLiteral literal, String tag, String text) {
    return SqlLiteral.createUnknown(tag, text, literal.getParserPosition());
  }
}
