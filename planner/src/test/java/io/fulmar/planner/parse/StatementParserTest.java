package io.fulmar.planner.parse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.math.BigDecimal;
import java.time.Duration;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlIntervalLiteral;
import org.apache.calcite.sql.SqlIntervalLiteral.IntervalValue;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlSnapshot;
import org.apache.calcite.sql.parser.SqlParserUtil;
import org.apache.calcite.sql.validate.SqlConformanceEnum;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StatementParserTest {
  private final StatementParser parser =
      new StatementParser(SqlConformanceEnum.LENIENT, StatementLimits.DEFAULT);

  private SqlSelect select(String sql) {
    return assertInstanceOf(SqlSelect.class, parser.parse(sql));
  }

  private SqlNode expression(String sql) {
    return select("SELECT " + sql).getSelectList().get(0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT 1;",
        "SELECT 1 ; ; -- done",
        "/* before */ SELECT /* between */ 1 -- after",
        "-- first\nSELECT 1",
        "VALUES (1, 'a'), (2, 'b')",
        "TABLE t",
        "SELECT date, time, timestamp, year, month, day, hour, minute, second FROM t",
        "SELECT count(*) AS count, sum(x) AS sum, value, user_id AS sql, 1 AS one, 2 AS rank",
        "SELECT a FROM system.runtime.queries",
        "SELECT a FROM t$snapshots",
      })
  void accepts(String sql) {
    parser.parse(sql);
  }

  @Test
  void identifiersKeepTheirSpelling() {
    SqlIdentifier name = (SqlIdentifier) expression("MyColumn");
    assertEquals("MyColumn", name.getSimple());
    SqlIdentifier path = (SqlIdentifier) expression("t.\"Odd \"\"Name\"");
    assertEquals("Odd \"Name", path.names.get(1));
    assertTrue(path.isComponentQuoted(1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "INTERVAL '1 day 2 hours'     | 93600000",
        "INTERVAL '10 second'         | 10000",
        "INTERVAL '1.5 sec'           | 1500",
        "INTERVAL '250 ms'            | 250",
        "INTERVAL '2:30:00'           | 9000000",
        "INTERVAL '1 day -1 hour'     | 82800000",
        "INTERVAL -'3 weeks'          | -1814400000",
      })
  void intervalTexts(String sql, long millis) {
    IntervalValue value = ((SqlIntervalLiteral) expression(sql)).getValueAs(IntervalValue.class);
    assertEquals(millis, value.getSign() * SqlParserUtil.intervalToMillis(value));
  }

  @Test
  void intervalOfMonths() {
    SqlIntervalLiteral literal = (SqlIntervalLiteral) expression("INTERVAL '1 year 2 months'");
    assertEquals(14, SqlParserUtil.intervalToMonths(literal.getValueAs(IntervalValue.class)));
  }

  @Test
  void intervalOfMonthsAndDaysIsTwo() {
    SqlCall mixed = (SqlCall) expression("INTERVAL '1 month 2 days'");
    assertEquals(SyntaxOperators.MIXED_INTERVAL, mixed.getOperator());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "day", "1 fortnight", "1 day x", "0.5 month", "1 us"})
  void intervalTextsThatAreNone(String text) {
    FulmarException error =
        assertThrows(FulmarException.class, () -> parser.parse("SELECT INTERVAL '" + text + "'"));
    assertEquals(ErrorCode.SYNTAX_ERROR, error.code());
  }

  @Test
  void snapshotsByVersionAndByTime() {
    assertInstanceOf(
        VersionSnapshot.class, ((SqlCall) from("t FOR SYSTEM_VERSION AS OF 12 x")).operand(0));
    assertInstanceOf(VersionSnapshot.class, from("t FOR VERSION AS OF 'tag'"));
    SqlNode byTime = from("t FOR TIMESTAMP AS OF TIMESTAMP '2024-01-01 00:00:00'");
    assertEquals(SqlSnapshot.class, byTime.getClass());
    assertInstanceOf(VersionSnapshot.class, from("t VERSION AS OF 'tag'"));
    assertInstanceOf(VersionSnapshot.class, ((SqlCall) from("t VERSION AS OF 12 AS x")).operand(0));
    assertEquals(SqlSnapshot.class, from("t TIMESTAMP AS OF '2024-01-01'").getClass());
  }

  @Test
  void versionAndTimestampStayAliases() {
    assertEquals(SqlKind.AS, from("t version").getKind());
    assertEquals(SqlKind.AS, from("t AS timestamp").getKind());
    assertEquals(SqlKind.JOIN, from("t version, u").getKind());
  }

  private SqlNode from(String table) {
    return select("SELECT * FROM " + table).getFrom();
  }

  @Test
  void groupsFramesAreMarked() {
    SqlNode plain = expression("sum(x) OVER (ORDER BY y GROUPS CURRENT ROW)");
    assertTrue(plain.toString().contains("RANGE"), plain::toString);
    SqlNode marked = expression("sum(x) OVER (ORDER BY y GROUPS 2 PRECEDING)");
    BigDecimal offset = GroupsFrame.MARK.add(BigDecimal.valueOf(2));
    assertTrue(marked.toString().contains(offset.toPlainString()), marked::toString);
    assertTrue(GroupsFrame.isMarked(offset));
    assertEquals(BigDecimal.valueOf(2), GroupsFrame.unmark(offset));
  }

  @Test
  void castBindsTighterThanArithmetic() {
    SqlCall sum = (SqlCall) expression("a + b::INTEGER");
    assertEquals("+", sum.getOperator().getName());
  }

  @Test
  void distinctOn() {
    DistinctOnSelect select =
        assertInstanceOf(
            DistinctOnSelect.class, parser.parse("SELECT DISTINCT ON (a, b) c FROM t"));
    assertEquals(2, select.keys().size());
  }

  @ParameterizedTest
  @ValueSource(strings = {"$0", "$40000", "$999999"})
  void parameterNumbersHaveLimits(String parameter) {
    FulmarException error =
        assertThrows(FulmarException.class, () -> parser.parse("SELECT " + parameter));
    assertEquals(ErrorCode.SYNTAX_ERROR, error.code());
  }

  @Test
  void limits() {
    StatementLimits small = new StatementLimits(60, 12, 3, 1 << 20, Duration.ofSeconds(1));
    StatementParser limited = new StatementParser(SqlConformanceEnum.LENIENT, small);
    limited.parse("SELECT ((1))");
    for (String sql :
        new String[] {
          "SELECT ((((1))))",
          "SELECT 1, 2, 3, 4, 5, 6, 7",
          "SELECT 'a text that is far too long for the limit of sixty characters'"
        }) {
      FulmarException error =
          assertThrows(FulmarException.class, () -> limited.parse(sql), () -> sql);
      assertEquals(ErrorCode.STATEMENT_TOO_COMPLEX, error.code());
    }
  }
}
