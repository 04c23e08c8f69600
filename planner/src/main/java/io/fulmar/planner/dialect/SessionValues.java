package io.fulmar.planner.dialect;

import static java.util.Objects.requireNonNull;

import io.fulmar.planner.PlanningContext;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.DateString;
import org.apache.calcite.util.TimeString;
import org.apache.calcite.util.TimestampString;

/**
 * CURRENT_DATE, CURRENT_USER and the like, as literals: one statement has one time.
 * CURRENT_TIMESTAMP and NOW() are instants, LOCALTIMESTAMP is the wall clock of the session's zone.
 */
public final class SessionValues {
  private static final int MICROS = 6;

  private final PlanningContext context;
  private final StatementTime time;

  public SessionValues(PlanningContext context, StatementTime time) {
    this.context = requireNonNull(context, "context is null");
    this.time = requireNonNull(time, "time is null");
  }

  /** The value of a call without arguments. */
  Optional<SqlNode> function(String name, SqlParserPos position) {
    return name.equalsIgnoreCase("NOW") ? Optional.of(instant(position)) : variable(name, position);
  }

  /** The value of a reserved word. */
  Optional<SqlNode> variable(String name, SqlParserPos position) {
    return switch (name.toUpperCase(Locale.ROOT)) {
      case "CURRENT_USER", "SESSION_USER", "SYSTEM_USER", "USER", "CURRENT_ROLE" ->
          Optional.of(text(context.user(), position));
      case "CURRENT_CATALOG" -> Optional.of(text(context.catalog(), position));
      case "CURRENT_SCHEMA" -> Optional.of(text(context.schema(), position));
      case "CURRENT_DATE" -> Optional.of(SqlLiteral.createDate(date(), position));
      case "CURRENT_TIME", "LOCALTIME" ->
          Optional.of(SqlLiteral.createTime(clock(), MICROS, position));
      case "LOCALTIMESTAMP" -> Optional.of(timestamp(time.local(), position));
      case "CURRENT_TIMESTAMP" -> Optional.of(instant(position));
      default -> Optional.empty();
    };
  }

  private static SqlNode text(String value, SqlParserPos position) {
    return SqlLiteral.createCharString(value, position);
  }

  private static SqlNode text(Optional<String> value, SqlParserPos position) {
    return value
        .map(present -> text(present, position))
        .orElseGet(() -> cast(SqlLiteral.createNull(position), SqlTypeName.VARCHAR, -1, position));
  }

  private DateString date() {
    return DateString.fromDaysSinceEpoch((int) time.local().toLocalDate().toEpochDay());
  }

  private TimeString clock() {
    return new TimeString(DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).format(time.local()))
        .withNanos(time.local().getNano());
  }

  /** An instant as a wall clock in UTC. */
  private SqlNode instant(SqlParserPos position) {
    LocalDateTime utc = LocalDateTime.ofInstant(time.instant(), ZoneOffset.UTC);
    return cast(
        timestamp(utc, position), SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE, MICROS, position);
  }

  private static SqlNode timestamp(LocalDateTime local, SqlParserPos position) {
    TimestampString value =
        new TimestampString(
                local.getYear(),
                local.getMonthValue(),
                local.getDayOfMonth(),
                local.getHour(),
                local.getMinute(),
                local.getSecond())
            .withNanos(local.getNano());
    return SqlLiteral.createTimestamp(SqlTypeName.TIMESTAMP, value, MICROS, position);
  }

  private static SqlNode cast(
      SqlNode value, SqlTypeName type, int precision, SqlParserPos position) {
    SqlDataTypeSpec target =
        new SqlDataTypeSpec(new SqlBasicTypeNameSpec(type, precision, position), position);
    return SqlStdOperatorTable.CAST.createCall(position, value, target);
  }
}
