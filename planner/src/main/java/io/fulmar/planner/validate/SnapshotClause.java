package io.fulmar.planner.validate;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.metadata.VersionSelector;
import io.fulmar.planner.dialect.StatementTime;
import io.fulmar.planner.parse.Positions;
import io.fulmar.planner.parse.VersionSnapshot;
import io.fulmar.planner.type.TimeText;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Optional;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlIntervalLiteral;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlSnapshot;
import org.apache.calcite.sql.SqlUtil;
import org.apache.calcite.sql.parser.SqlParserUtil;
import org.apache.calcite.sql.type.SqlTypeFamily;

/**
 * The version that {@code FOR … AS OF} asks for: a snapshot id, the name of a branch or tag, a
 * time, or a time as seconds since the epoch, as Spark has it.
 */
final class SnapshotClause {
  private static final int MICRO_DIGITS = 6;
  private static final BigDecimal MICROS_PER_MILLI = BigDecimal.valueOf(1_000);

  private final StatementTime time;
  private final Positions positions;

  SnapshotClause(StatementTime time, Positions positions) {
    this.time = requireNonNull(time, "time is null");
    this.positions = requireNonNull(positions, "positions is null");
  }

  VersionSelector version(SqlSnapshot snapshot) {
    SqlNode period = snapshot.getPeriod();
    return snapshot instanceof VersionSnapshot
        ? id(period)
        : new VersionSelector.AsOf(instant(period));
  }

  /** A snapshot id, or the name of a branch or tag. */
  VersionSelector id(SqlNode version) {
    if (version instanceof SqlNumericLiteral number && number.isInteger()) {
      BigInteger id = number.bigDecimalValue().toBigInteger();
      if (id.bitLength() >= Long.SIZE) {
        throw error(version, "A snapshot id has 64 bits");
      }
      return new VersionSelector.SnapshotId(id.longValue());
    }
    if (SqlUtil.isLiteral(version) && isText(version)) {
      return new VersionSelector.Ref(((SqlLiteral) version).getValueAs(String.class));
    }
    throw error(version, "A version is a snapshot id or the name of a branch or tag in quotes");
  }

  private static boolean isText(SqlNode literal) {
    return ((SqlLiteral) literal).getTypeName().getFamily() == SqlTypeFamily.CHARACTER;
  }

  /** Microseconds since the epoch. */
  private long instant(SqlNode period) {
    if (period.getKind() == SqlKind.PLUS || period.getKind() == SqlKind.MINUS) {
      SqlCall call = (SqlCall) period;
      long amount = millis(call.operand(1)).multiply(MICROS_PER_MILLI).longValueExact();
      return instant(call.operand(0)) + (period.getKind() == SqlKind.PLUS ? amount : -amount);
    }
    if (period.getKind() == SqlKind.CAST) {
      SqlCall cast = (SqlCall) period;
      if (cast.operand(1) instanceof SqlDataTypeSpec) {
        return instant(cast.operand(0));
      }
    }
    if (isNow(period)) {
      return time.micros();
    }
    if (period instanceof SqlNumericLiteral seconds) {
      return epochSeconds(seconds);
    }
    Optional<String> text = text(period);
    if (text.isEmpty()) {
      throw error(period, "A time is a timestamp literal or CURRENT_TIMESTAMP")
          .withHint("Write for example FOR SYSTEM_TIME AS OF TIMESTAMP '2024-01-31 12:00:00'.");
    }
    return TimeText.micros(text.get(), time.zone())
        .orElseThrow(() -> error(period, "Not a timestamp: '" + text.get() + "'"));
  }

  private long epochSeconds(SqlNumericLiteral seconds) {
    try {
      return seconds.bigDecimalValue().movePointRight(MICRO_DIGITS).longValueExact();
    } catch (ArithmeticException e) {
      throw error(seconds, "Not a time in seconds since 1970: " + seconds);
    }
  }

  private static boolean isNow(SqlNode period) {
    String name =
        period instanceof SqlIdentifier identifier && identifier.isSimple()
            ? identifier.getSimple()
            : period instanceof SqlBasicCall call && call.operandCount() == 0
                ? call.getOperator().getName()
                : "";
    return name.equalsIgnoreCase("CURRENT_TIMESTAMP")
        || name.equalsIgnoreCase("LOCALTIMESTAMP")
        || name.equalsIgnoreCase("NOW");
  }

  private static Optional<String> text(SqlNode period) {
    if (!(period instanceof SqlLiteral literal)) {
      return Optional.empty();
    }
    return switch (literal.getTypeName()) {
      case CHAR, VARCHAR, UNKNOWN -> Optional.ofNullable(literal.getValueAs(String.class));
      case TIMESTAMP, TIMESTAMP_WITH_LOCAL_TIME_ZONE, TIMESTAMP_TZ, DATE ->
          Optional.of(String.valueOf(literal.getValue()));
      default -> Optional.empty();
    };
  }

  private BigDecimal millis(SqlNode interval) {
    if (interval instanceof SqlIntervalLiteral literal) {
      SqlIntervalLiteral.IntervalValue value =
          literal.getValueAs(SqlIntervalLiteral.IntervalValue.class);
      if (!value.getIntervalQualifier().isYearMonth()) {
        return BigDecimal.valueOf(value.getSign() * SqlParserUtil.intervalToMillis(value));
      }
    }
    throw error(
        interval, "Only intervals of days, hours, minutes and seconds move a snapshot time");
  }

  private FulmarException error(SqlNode blamed, String message) {
    return new FulmarException(ErrorCode.INVALID_STATEMENT, message)
        .at(positions.of(blamed.getParserPosition()));
  }
}
