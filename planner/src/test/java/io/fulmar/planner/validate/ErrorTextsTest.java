package io.fulmar.planner.validate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.planner.testing.PlannerSession;
import io.fulmar.planner.testing.TestCatalog;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/**
 * What people are told: code, message, next step, and the blamed part between carets. The lines are
 * in {@code errors.txt}.
 */
class ErrorTextsTest {
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
  @CsvFileSource(resources = "errors.txt", delimiterString = "==>", quoteCharacter = '`')
  void tells(String marked, ErrorCode code, String message, String hint) {
    FulmarException error = session.error(marked);
    assertEquals(code, error.code(), error.getMessage());
    assertEquals(message, error.getMessage());
    assertEquals(hint == null ? "" : hint, error.hint().orElse(""));
  }
}
