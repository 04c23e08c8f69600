package io.fulmar.planner.logical;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.planner.testing.Planning;
import io.fulmar.planner.testing.TestCatalog;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PlanLimitsTest {
  private static final PlanLimits FEW = new PlanLimits(50, 500, Duration.ofSeconds(60));

  @Test
  void refusesManyRelationsAndManyExpressions() {
    try (TestCatalog catalog = new TestCatalog()) {
      Planning planning = new Planning(catalog.registry(), "db", FEW);
      String unions =
          IntStream.range(0, 60)
              .mapToObj(i -> "SELECT id FROM events")
              .collect(Collectors.joining(" UNION ALL "));
      String sum = IntStream.range(0, 300).mapToObj(i -> " + qty").collect(Collectors.joining());

      assertTooComplex(planning, unions);
      assertTooComplex(planning, "SELECT id" + sum + " FROM events");
      assertTooComplex(planning, "SELECT 1 FROM events WHERE id IN (" + unions + ")");
      assertTrue(planning.plan("SELECT id FROM events").plan().hasRoot());
    }
  }

  private static void assertTooComplex(Planning planning, String sql) {
    FulmarException error = assertThrows(FulmarException.class, () -> planning.plan(sql));
    assertEquals(ErrorCode.STATEMENT_TOO_COMPLEX, error.code(), error.getMessage());
  }

  @Test
  void refusesToPlanForever() {
    try (TestCatalog catalog = new TestCatalog()) {
      Planning planning =
          new Planning(
              catalog.registry(), "db", new PlanLimits(5_000, 50_000, Duration.ofNanos(1)));
      assertTooComplex(
          planning, "SELECT a.id FROM events a JOIN users b ON a.id = b.id WHERE a.qty = 1");
    }
  }
}
