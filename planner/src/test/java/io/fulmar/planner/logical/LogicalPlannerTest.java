package io.fulmar.planner.logical;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.planner.QueryPlan;
import io.fulmar.planner.testing.PlanChecker;
import io.fulmar.planner.testing.Planning;
import io.fulmar.planner.testing.TestCatalog;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LogicalPlannerTest {
  private static TestCatalog catalog;
  private static Planning planning;

  @BeforeAll
  static void open() {
    catalog = new TestCatalog();
    planning = new Planning(catalog.registry(), "db");
  }

  @AfterAll
  static void close() {
    catalog.close();
  }

  private static String text(String sql, Object... parameters) {
    QueryPlan plan = planning.plan(sql, parameters);
    PlanChecker.check(plan.plan());
    return plan.logicalText();
  }

  private static String filter(String condition, Object... parameters) {
    return text("SELECT id FROM events WHERE " + condition, parameters)
        .lines()
        .map(String::strip)
        .filter(line -> line.startsWith("Filter: "))
        .map(line -> line.substring("Filter: ".length()))
        .findFirst()
        .orElse("");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "id = 1 + 2 * 3                                      | id = 7",
        "amount > 1.5 + 2                                    | amount > 3.50",
        "qty = 3.0                                           | qty = 3",
        "qty = 3.5                                           | CAST(qty AS DECIMAL(11, 1)) = 3.5",
        "day < DATE '2024-01-31' + INTERVAL '1' MONTH        | day < DATE '2024-02-29'",
        "day < DATE '2024-03-01' - INTERVAL '1' DAY          | day < DATE '2024-02-29'",
        "ts < TIMESTAMP '2024-01-01 00:00:00' + INTERVAL '36' HOUR | ts < TIMESTAMP '2024-01-02 12:00:00'",
        "tsz < TIMESTAMP WITH TIME ZONE '2024-01-01 00:00:00+02:00' | tsz < TIMESTAMP WITH LOCAL TIME ZONE '2023-12-31 22:00:00'",
        "tsz < TIMESTAMP WITH TIME ZONE '2024-01-01 00:00:00-0330' | tsz < TIMESTAMP WITH LOCAL TIME ZONE '2024-01-01 03:30:00'",
        "tsz < TIMESTAMP WITH LOCAL TIME ZONE '2024-07-01 00:00 Europe/Berlin' | tsz < TIMESTAMP WITH LOCAL TIME ZONE '2024-06-30 22:00:00'",
        "tsz < TIMESTAMP WITH TIME ZONE '2024-01-01 00:00:00.5Z' | tsz < TIMESTAMP WITH LOCAL TIME ZONE '2024-01-01 00:00:00.5'",
        "tsz < TIMESTAMP WITH TIME ZONE '2024-01-01T00:00:00' | tsz < TIMESTAMP WITH LOCAL TIME ZONE '2024-01-01 00:00:00'",
        "tsz < TIMESTAMP WITH TIME ZONE '2024-01-01 00:00:00 UTC' | tsz < TIMESTAMP WITH LOCAL TIME ZONE '2024-01-01 00:00:00'",
        "day = '2024-01-01'                                  | day = DATE '2024-01-01'",
        "qty = 1 AND 2 > 1                                   | qty = 1",
        "qty = 1 OR 2 < 1                                    | qty = 1",
        "NOT (1 > 2) AND qty = 1                             | qty = 1"
      })
  void foldsWhatHasOneMeaning(String condition, String folded) {
    assertEquals(folded, filter(condition));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'abc' LIKE 'a%'",
        "UPPER('a') = 'A'",
        "2147483647 + 1 = qty",
        "1 / 0 = qty",
        "CAST(1.5 AS INTEGER) = qty",
        "ROUND(1.5) = qty",
        "'a' < 'B'",
        "CAST('x' AS INTEGER) = qty"
      })
  void leavesTheRestToTheEngine(String condition) {
    assertFalse(filter(condition).isEmpty());
    assertFalse(filter(condition).matches("qty = \\d+"), filter(condition));
  }

  @Test
  void keepsComparisonsOutOfTheCaseThatGuardsADivision() {
    assertEquals(
        "CASE WHEN qty <> 0 THEN 10 / qty ELSE 0 END > 1",
        filter("CASE WHEN qty <> 0 THEN 10 / qty ELSE 0 END > 1"));
  }

  @Test
  void dropsWhatCanHaveNoRow() {
    assertEquals("Values: [id] no rows", text("SELECT id FROM events WHERE qty = 1 AND 1 = 2"));
    assertEquals("Values: [id] no rows", text("SELECT id FROM events WHERE NULL"));
  }

  @Test
  void joinsConnectedTablesFirst() {
    String plan =
        text(
            "SELECT a.id FROM users a, users b, events e"
                + " WHERE a.id = e.user_id AND b.id = e.qty");
    assertFalse(plan.contains("Cross Join"), plan);
  }

  @Test
  void keepsTheProductThatWasAskedFor() {
    assertTrue(text("SELECT a.id FROM users a, users b").contains("Cross Join"));
  }

  @Test
  void bindsParametersAsLiterals() {
    assertEquals("id = 7", filter("id = ?", 7L));
    assertEquals("qty = 7", filter("qty = ?", 7L));
    assertEquals("amount > 1.50", filter("amount > ?", new BigDecimal("1.5")));
    assertEquals("kind LIKE 'a%'", filter("kind LIKE ?", "a%"));
    assertEquals("(id = 1) OR (id = 2)", filter("id IN (?, ?)", 1L, 2L));
    assertEquals("day >= DATE '2024-02-29'", filter("day >= ?", LocalDate.of(2024, 2, 29)));
    assertEquals("day >= DATE '2024-02-29'", filter("day >= ?", "2024-02-29"));
    assertEquals(
        "ts < TIMESTAMP '2024-01-01 10:00:00.5'",
        filter("ts < ?", LocalDateTime.of(2024, 1, 1, 10, 0, 0, 500_000_000)));
    assertEquals(
        "tsz < TIMESTAMP WITH LOCAL TIME ZONE '2024-01-01 10:00:00'",
        filter("tsz < ?", Instant.parse("2024-01-01T10:00:00Z")));
  }

  @Test
  void bindsNullAndLimits() {
    assertEquals("Values: [id] no rows", text("SELECT id FROM events WHERE id = ?", (Object) null));
    assertTrue(
        text("SELECT id FROM events ORDER BY id LIMIT ? OFFSET ?", 3L, 4L)
            .startsWith("Sort: id, limit 3, offset 4"));
  }

  @Test
  void refusesAMissingParameter() {
    assertCode(ErrorCode.INVALID_PARAMETER, "SELECT id FROM events WHERE id = ?");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT id FROM events TABLESAMPLE BERNOULLI(10)",
        "SELECT id FROM events WHERE kind SIMILAR TO kind",
        "SELECT id FROM events WHERE kind LIKE kind ESCAPE '!'",
        "SELECT id FROM events WHERE EXISTS (SELECT 1 FROM UNNEST(events.tags) t(x) WHERE x = 'a')"
      })
  void refusesByName(String sql) {
    assertCode(ErrorCode.UNSUPPORTED_SQL, sql);
  }

  private static void assertCode(ErrorCode code, String sql) {
    FulmarException error = assertThrows(FulmarException.class, () -> planning.plan(sql), sql);
    assertEquals(code, error.code(), error.getMessage());
  }

  @Test
  void blamesTheFunctionThatCannotBeExecuted() {
    String sql = "SELECT id,\n  CASE WHEN kind LIKE kind ESCAPE '!' THEN 1 END FROM events";
    FulmarException error = assertThrows(FulmarException.class, () -> planning.plan(sql));
    assertEquals(2, error.position().orElseThrow().line());
    assertEquals(
        "kind LIKE kind ESCAPE '!'", error.position().orElseThrow().text(), error.getMessage());
  }

  @Test
  void existsIsASemiJoinAndItsOppositeAnAntiJoin() {
    assertTrue(
        text("SELECT id FROM users u WHERE EXISTS (SELECT * FROM events WHERE user_id = u.id)")
            .contains("Semi Join: user_id = id"));
    assertTrue(
        text("SELECT u.id FROM users u LEFT JOIN events e ON e.user_id = u.id"
                + " WHERE e.id IS NULL")
            .contains("Anti Join: user_id = id"));
  }

  @Test
  void notInOfNullableValuesIsNoAntiJoin() {
    assertFalse(
        text("SELECT id FROM users WHERE id NOT IN (SELECT user_id FROM events)")
            .contains("Anti Join"));
    assertTrue(
        text("SELECT id FROM users WHERE id NOT IN (SELECT id FROM events)").contains("Anti Join"));
  }
}
