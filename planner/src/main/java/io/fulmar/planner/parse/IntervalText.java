package io.fulmar.planner.parse;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.avatica.util.TimeUnit;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * The text of an interval without a qualifier, as PostgreSQL writes it: {@code '1 day 2 hours'},
 * {@code '10 second'}, {@code '1 year -2 months'}, {@code '2:30:00'}.
 *
 * @param months whole months
 * @param millis milliseconds, the finest that SQL intervals carry
 */
record IntervalText(BigInteger months, BigInteger millis) {
  private static final Pattern PART =
      Pattern.compile(
          "\\s*(?:([+-]?\\d+(?:\\.\\d+)?)\\s*([a-zA-Z]+)|([+-]?)(\\d+):(\\d{2})(?::(\\d{2}(?:\\.\\d+)?))?)\\s*,?");
  private static final BigInteger THOUSAND = BigInteger.valueOf(1000);
  private static final long SECONDS_PER_MINUTE = 60;
  private static final long SECONDS_PER_HOUR = 3_600;
  private static final long SECONDS_PER_DAY = 86_400;
  private static final int INTERVAL_DIGITS = 10;

  static IntervalText parse(String text, SqlParserPos position) {
    Matcher matcher = PART.matcher(text);
    BigDecimal months = BigDecimal.ZERO;
    BigDecimal seconds = BigDecimal.ZERO;
    int end = 0;
    while (end < text.length() && matcher.find(end) && matcher.start() == end) {
      if (matcher.group(2) == null) {
        seconds = seconds.add(clock(matcher));
      } else {
        BigDecimal amount = new BigDecimal(matcher.group(1));
        Unit unit = Unit.of(matcher.group(2), text, position);
        months = months.add(amount.multiply(BigDecimal.valueOf(unit.months)));
        seconds = seconds.add(amount.multiply(unit.seconds));
      }
      end = matcher.end();
    }
    if (end == 0 || end < text.length()) {
      throw invalid(text, position);
    }
    return new IntervalText(whole(months, text, position), millis(seconds, text, position));
  }

  private static BigDecimal clock(Matcher matcher) {
    BigDecimal seconds =
        matcher.group(6) == null ? BigDecimal.ZERO : new BigDecimal(matcher.group(6));
    BigDecimal total =
        seconds
            .add(new BigDecimal(matcher.group(4)).multiply(BigDecimal.valueOf(SECONDS_PER_HOUR)))
            .add(new BigDecimal(matcher.group(5)).multiply(BigDecimal.valueOf(SECONDS_PER_MINUTE)));
    return "-".equals(matcher.group(3)) ? total.negate() : total;
  }

  private static BigInteger whole(BigDecimal months, String text, SqlParserPos position) {
    if (months.stripTrailingZeros().scale() > 0) {
      throw invalid(text, position).withHint("Months must come out whole.");
    }
    return months.toBigInteger();
  }

  private static BigInteger millis(BigDecimal seconds, String text, SqlParserPos position) {
    BigDecimal millis = seconds.movePointRight(3);
    if (millis.stripTrailingZeros().scale() > 0) {
      throw invalid(text, position).withHint("Intervals carry milliseconds at most.");
    }
    return millis.toBigInteger();
  }

  /** One interval literal, or a call of {@link SyntaxOperators#MIXED_INTERVAL} on two. */
  SqlNode literal(int sign, SqlParserPos position) {
    if (millis.signum() == 0 && months.signum() != 0) {
      return monthsLiteral(sign, position);
    }
    if (months.signum() == 0) {
      return millisLiteral(sign, position);
    }
    return SyntaxOperators.MIXED_INTERVAL.createCall(
        position, monthsLiteral(sign, position), millisLiteral(sign, position));
  }

  private SqlNode monthsLiteral(int sign, SqlParserPos position) {
    SqlIntervalQualifier qualifier =
        new SqlIntervalQualifier(TimeUnit.MONTH, INTERVAL_DIGITS, null, -1, position);
    return SqlLiteral.createInterval(
        sign * (months.signum() < 0 ? -1 : 1), months.abs().toString(), qualifier, position);
  }

  private SqlNode millisLiteral(int sign, SqlParserPos position) {
    BigInteger[] parts = millis.abs().divideAndRemainder(THOUSAND);
    boolean whole = parts[1].signum() == 0;
    SqlIntervalQualifier qualifier =
        new SqlIntervalQualifier(TimeUnit.SECOND, INTERVAL_DIGITS, null, whole ? 0 : 3, position);
    String fraction = whole ? "" : String.format(Locale.ROOT, ".%03d", parts[1].intValue());
    String text = parts[0] + fraction;
    return SqlLiteral.createInterval(
        sign * (millis.signum() < 0 ? -1 : 1), text, qualifier, position);
  }

  private static FulmarException invalid(String text, SqlParserPos position) {
    return new FulmarException(ErrorCode.SYNTAX_ERROR, "Not an interval: '" + text + "'")
        .at(Positions.of(position, "'" + text + "'"))
        .withHint("Write for example INTERVAL '1 day 2 hours' or INTERVAL '3' MONTH.");
  }

  /** A unit word. */
  private enum Unit {
    YEAR(12, 0),
    QUARTER(3, 0),
    MONTH(1, 0),
    WEEK(0, 7 * SECONDS_PER_DAY),
    DAY(0, SECONDS_PER_DAY),
    HOUR(0, SECONDS_PER_HOUR),
    MINUTE(0, SECONDS_PER_MINUTE),
    SECOND(0, 1),
    MILLISECOND(0, new BigDecimal("0.001")),
    MICROSECOND(0, new BigDecimal("0.000001"));

    private final long months;
    private final BigDecimal seconds;

    Unit(long months, long seconds) {
      this(months, BigDecimal.valueOf(seconds));
    }

    Unit(long months, BigDecimal seconds) {
      this.months = months;
      this.seconds = seconds;
    }

    static Unit of(String word, String text, SqlParserPos position) {
      String upper = word.toUpperCase(Locale.ROOT);
      return switch (upper.length() > 2 ? upper.replaceFirst("S$", "") : upper) {
        case "YEAR", "YR", "Y" -> YEAR;
        case "QUARTER" -> QUARTER;
        case "MONTH", "MON" -> MONTH;
        case "WEEK", "W" -> WEEK;
        case "DAY", "D" -> DAY;
        case "HOUR", "HR", "H" -> HOUR;
        case "MINUTE", "MIN", "M" -> MINUTE;
        case "SECOND", "SEC", "S" -> SECOND;
        case "MILLISECOND", "MILLI", "MS" -> MILLISECOND;
        case "MICROSECOND", "MICRO", "US" -> MICROSECOND;
        default -> throw invalid(text, position);
      };
    }
  }
}
