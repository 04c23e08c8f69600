package io.fulmar.planner.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.google.protobuf.InvalidProtocolBufferException;
import io.fulmar.engine.plan.Plan;
import io.fulmar.planner.QueryPlan;
import io.fulmar.planner.testing.PlanChecker;
import io.fulmar.planner.testing.Planning;
import io.fulmar.planner.testing.TestCatalog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TpchPlanTest {
  private static final Path FOLDER = Path.of("../it/src/test/resources/tpch");

  private static TestCatalog catalog;
  private static Planning planning;

  @BeforeAll
  static void open() {
    catalog = new TestCatalog();
    planning = new Planning(catalog.registry(), "tpch");
  }

  @AfterAll
  static void close() {
    catalog.close();
  }

  @ParameterizedTest
  @ValueSource(
      ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22})
  void encodesWithAgreeingTypesAndWithoutCrossProducts(int number)
      throws IOException, InvalidProtocolBufferException {
    String sql = Files.readString(FOLDER.resolve("q%02d.sql".formatted(number)));

    QueryPlan plan = planning.plan(sql);

    PlanChecker.check(plan.plan());
    assertEquals(plan.plan(), Plan.parseFrom(plan.plan().toByteArray()));
    assertEquals(plan.schema().getFields().size(), plan.plan().getOutputCount());
    boolean scalar = number == 11 || number == 22 || number == 15 || number == 16;
    assertFalse(plan.logicalText().contains("Cross Join") && !scalar, plan.logicalText());
  }
}
