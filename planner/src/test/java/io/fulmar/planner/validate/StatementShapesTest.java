package io.fulmar.planner.validate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fulmar.planner.testing.PlannerSession;
import io.fulmar.planner.testing.TestCatalog;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/**
 * The shapes of statements that BI tools and people write: each validates, and announces the types
 * that stand beside it. The lines are in {@code shapes.txt}: statement, then types.
 */
class StatementShapesTest {
  private static TestCatalog catalog;
  private static PlannerSession session;

  @BeforeAll
  static void open() {
    catalog = new TestCatalog();
    session = PlannerSession.of(catalog, "db");
  }

  @AfterAll
  static void close() {
    catalog.close();
  }

  @ParameterizedTest
  @CsvFileSource(resources = "shapes.txt", delimiterString = "==>", quoteCharacter = '`')
  void validates(String sql, String types) {
    assertEquals(types, session.types(sql));
  }
}
