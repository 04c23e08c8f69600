package io.fulmar.planner.deletes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fulmar.engine.plan.KeySet;
import io.fulmar.engine.plan.Rel;
import io.fulmar.engine.plan.ScanColumn;
import io.fulmar.engine.plan.ScanRel;
import io.fulmar.engine.plan.SchemaField;
import io.fulmar.planner.QueryPlan;
import io.fulmar.planner.testing.DeleteTables;
import io.fulmar.planner.testing.PlanChecker;
import io.fulmar.planner.testing.Planning;
import io.fulmar.planner.testing.TestCatalog;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeleteRewriterTest {
  private static TestCatalog catalog;
  private static Planning planning;

  @BeforeAll
  static void open() {
    catalog = new TestCatalog();
    DeleteTables.create(catalog);
    planning = new Planning(catalog.registry(), "db");
  }

  @AfterAll
  static void close() {
    catalog.close();
  }

  private static List<ScanRel> scans(QueryPlan plan) {
    List<ScanRel> scans = new ArrayList<>();
    collect(plan.plan().getRoot(), scans);
    return scans;
  }

  private static void collect(Rel rel, List<ScanRel> scans) {
    switch (rel.getKindCase()) {
      case SCAN -> scans.add(rel.getScan());
      case FILTER -> collect(rel.getFilter().getInput(), scans);
      case PROJECT -> collect(rel.getProject().getInput(), scans);
      case AGGREGATE -> collect(rel.getAggregate().getInput(), scans);
      case WINDOW -> collect(rel.getWindow().getInput(), scans);
      case SORT -> collect(rel.getSort().getInput(), scans);
      case LIMIT -> collect(rel.getLimit().getInput(), scans);
      case UNNEST -> collect(rel.getUnnest().getInput(), scans);
      case JOIN -> {
        collect(rel.getJoin().getLeft(), scans);
        collect(rel.getJoin().getRight(), scans);
      }
      case SET -> rel.getSet().getInputsList().forEach(input -> collect(input, scans));
      default -> {}
    }
  }

  @Test
  void everyDeleteIsAnAntiJoinInTheText() {
    String text = planning.plan("SELECT name FROM cdc").logicalText();

    assertEquals(1, count(text, "Position Deletes: lake.db.cdc"));
    assertEquals(3, count(text, "Equality Deletes: lake.db.cdc"));
    assertEquals(4, count(text, "Anti Join: "));
    assertTrue(text.contains("(_file = right._file) AND (_pos = right._pos)"), text);
    assertTrue(
        text.contains(
            "(id IS NOT DISTINCT FROM right.id)"
                + " AND (_data_sequence_number < right._data_sequence_number)"),
        text);
  }

  private static int count(String text, String part) {
    return text.split(Pattern.quote(part), -1).length - 1;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT name FROM cdc",
        "SELECT count(*) FROM cdc",
        "SELECT * FROM cdc WHERE amount > 1 ORDER BY id LIMIT 3",
        "SELECT a.name FROM cdc a JOIN cdc b ON a.id = b.id LEFT JOIN cdc c ON b.id = c.id",
        "SELECT name FROM users WHERE EXISTS (SELECT 1 FROM cdc WHERE cdc.id = users.id)",
        "SELECT name FROM users WHERE id NOT IN (SELECT id FROM cdc)",
        "SELECT (SELECT max(amount) FROM cdc WHERE cdc.id = users.id) FROM users",
        "SELECT name, sum(amount) OVER (PARTITION BY name ORDER BY id) FROM cdc",
        "SELECT id FROM cdc UNION ALL SELECT id FROM cdc WHERE name = 'x'",
        "SELECT name, count(DISTINCT amount) FROM cdc GROUP BY ROLLUP(name)"
      })
  void everyScanCarriesEveryDelete(String sql) {
    QueryPlan plan = planning.plan(sql);

    PlanChecker.check(plan.plan());
    List<ScanRel> scans =
        scans(plan).stream().filter(scan -> scan.getTable().equals("lake.db.cdc")).toList();
    assertFalse(scans.isEmpty());
    for (ScanRel scan : scans) {
      assertTrue(scan.getPositionDeletes());
      assertEquals(
          List.of(List.of(1), List.of(2, 3), List.of(5)),
          scan.getEqualityDeletesList().stream().map(KeySet::getFieldIdsList).toList());
    }
  }

  @Test
  void hiddenColumnsDoNotReachTheEngine() {
    ScanRel scan = scans(planning.plan("SELECT name FROM cdc WHERE amount > 1")).get(0);

    assertEquals(
        List.of("name", "amount"),
        scan.getColumnsList().stream().map(ScanColumn::getName).toList());
  }

  @Test
  void keysThatWereDroppedComeWithTheSchemaThatHadThem() {
    ScanRel scan = scans(planning.plan("SELECT amount, addr.city FROM dropped")).get(0);

    SchemaField old = field(scan.getSchemaList(), 3);
    assertEquals("amount", old.getName());
    assertTrue(old.getType().hasDecimal());
    SchemaField addr = field(scan.getSchemaList(), 4);
    assertEquals("zip", field(addr.getType().getStruct().getFieldsList(), 6).getName());
    assertEquals("city", field(addr.getType().getStruct().getFieldsList(), 5).getName());
    assertEquals(4, scan.getSchemaCount() + 1, "amount by two ids, and addr");
  }

  private static SchemaField field(List<SchemaField> fields, int id) {
    return fields.stream().filter(field -> field.getId() == id).findFirst().orElseThrow();
  }

  @Test
  void filtersStandBelowTheAntiJoins() {
    List<String> lines =
        planning.plan("SELECT name FROM cdc WHERE name = 'x'").logicalText().lines().toList();

    int filter = indexOf(lines, "Filter: name = 'x'");
    assertTrue(filter > indexOf(lines, "Anti Join: (_file = right._file)"), lines.toString());
    assertTrue(lines.get(filter + 1).strip().startsWith("Scan: lake.db.cdc"), lines.toString());
  }

  private static int indexOf(List<String> lines, String prefix) {
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).strip().startsWith(prefix)) {
        return i;
      }
    }
    return -1;
  }

  @Test
  void tablesWithoutDeletesHaveNoAntiJoin() {
    QueryPlan plan = planning.plan("SELECT name FROM users");

    assertEquals("Scan: lake.db.users [name]", plan.logicalText());
    assertFalse(scans(plan).get(0).getPositionDeletes());
    assertEquals(0, scans(plan).get(0).getEqualityDeletesCount());
  }

  @Test
  void aStructIsReadByTheFieldsThatAreUsed() {
    ScanRel scan =
        scans(planning.plan("SELECT addr.city FROM positions WHERE addr.zip > 3")).get(0);

    assertEquals(
        List.of(5, 6),
        scan.getColumnsList().stream().map(column -> column.getField().getFieldId()).toList());
    assertTrue(scan.hasFilter());
  }
}
