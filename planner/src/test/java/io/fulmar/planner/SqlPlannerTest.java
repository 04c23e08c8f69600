package io.fulmar.planner;

import static org.apache.iceberg.types.Types.NestedField.optional;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.planner.logical.PlanLimits;
import io.fulmar.planner.parse.StatementLimits;
import io.fulmar.planner.testing.PlannerSession;
import io.fulmar.planner.testing.TestCatalog;
import io.fulmar.planner.validate.SystemTables;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqlPlannerTest {
  private static final long SMALL_STACK = 300_000;

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
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT id FROM events WHERE ts > ? AND tsz < ? AND day = ? | $1 Timestamp(MILLISECOND, null), $2 Timestamp(MILLISECOND, UTC), $3 Date(DAY)",
        "SELECT id FROM types WHERE tm = ? AND dec = ?    | $1 Time(MILLISECOND, 32), $2 Decimal(12, 2, 128)",
        "SELECT id FROM events WHERE kind LIKE ? LIMIT ?  | $1 Utf8, $2 Int(32, true)",
        "SELECT ?, CAST(? AS DOUBLE)                      | $1 Utf8, $2 FloatingPoint(DOUBLE)",
        "SELECT id FROM events WHERE qty = $2 AND id = $1 | $1 Int(64, true), $2 Int(32, true)",
        "SELECT id FROM events WHERE qty BETWEEN ? AND ? AND id IN (?, ?) | $1 Int(32, true), $2 Int(32, true), $3 Int(64, true), $4 Int(64, true)",
        "SELECT id FROM events WHERE flag AND upper(?) = kind | $1 Utf8",
      })
  void announcesParameters(String sql, String parameters) {
    assertEquals(parameters, session.parameters(sql));
  }

  @Test
  void countsParameters() {
    PreparedStatement.Query query = session.query("SELECT id FROM events WHERE qty = ?");
    FulmarException error =
        assertThrows(
            FulmarException.class, () -> query.plan(ParameterValues.none(), session.context()));
    assertEquals(ErrorCode.INVALID_PARAMETER, error.code());
    QueryPlan plan = query.plan(ParameterValues.of(5L), session.context());
    assertEquals(query.resultSchema(), plan.schema());
  }

  @Test
  void readsOneSnapshotOfATable() {
    QueryPlan plan =
        session
            .query("SELECT * FROM t a, lake.db.T b WHERE a.id < (SELECT max(id) FROM db.t)")
            .plan(ParameterValues.none(), session.context());
    assertEquals(3, plan.tableScans().size());
    plan.tableScans()
        .forEach(
            scan -> assertSame(plan.tableScans().get(0).request().table(), scan.request().table()));
  }

  @Test
  void refusesASchemaThatChanged() {
    catalog.create("db", "changing", optional(1, "a", Types.LongType.get()));
    PreparedStatement.Query query = session.query("SELECT * FROM changing");
    catalog
        .registry()
        .require(TestCatalog.NAME)
        .table(TableIdentifier.of(Namespace.of("db"), "changing"))
        .updateSchema()
        .addColumn("b", Types.StringType.get())
        .commit();
    FulmarException error =
        assertThrows(
            FulmarException.class, () -> query.plan(ParameterValues.none(), session.context()));
    assertEquals(ErrorCode.SCHEMA_CHANGED, error.code());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "USE other              | Use[catalog=other, schema=Optional.empty]",
        "USE Db                 | Use[catalog=lake, schema=Optional[db]]",
        "USE LAKE.NS1.ns2;      | Use[catalog=lake, schema=Optional[ns1.ns2]]",
        "CREATE SCHEMA fresh    | CreateSchema[catalog=lake, namespace=fresh, ifExists=FAIL]",
        "CREATE SCHEMA IF NOT EXISTS other.a.b | CreateSchema[catalog=other, namespace=a.b, ifExists=SKIP]",
        "DROP SCHEMA DB         | DropSchema[catalog=lake, namespace=db, ifExists=FAIL]",
        "DROP SCHEMA IF EXISTS gone | DropSchema[catalog=lake, namespace=gone, ifExists=SKIP]",
        "SET memory.query-limit = 32MB | SetOption[key=memory.query-limit, value=32MB]",
        "SET Scan.Delete-Form TO 'merge'; | SetOption[key=scan.delete-form, value=merge]",
        "RESET scan.delete-form | ResetOption[key=scan.delete-form]",
        "CALL system.do('a', -5, n => TRUE, z => NULL, d => 1.5) | Call[procedure=do, arguments=[Optional[a], Optional[-5], n Optional[true], z Optional.empty, d Optional[1.5]]]",
      })
  void commands(String sql, String command) {
    PreparedStatement.Update update =
        assertInstanceOf(PreparedStatement.Update.class, session.prepare(sql));
    assertEquals(command, describe(update.command()));
  }

  private static String describe(Command command) {
    if (command instanceof Command.Call call) {
      return call.arguments().stream()
          .map(argument -> argument.name().map(name -> name + " ").orElse("") + argument.value())
          .collect(
              Collectors.joining(
                  ", ", "Call[procedure=" + call.procedure() + ", arguments=[", "]]"));
    }
    return command.toString().replaceFirst(", position=.*", "]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SHOW CATALOGS            | catalog Utf8",
        "SHOW SCHEMAS FROM lake   | schema Utf8",
        "SHOW TABLES LIKE 't%'    | table Utf8",
        "SHOW TABLES IN lake.db   | table Utf8",
        "SHOW COLUMNS FROM types  | column Utf8, type Utf8, nullable Bool",
        "DESCRIBE lake.db.events  | column Utf8, type Utf8, nullable Bool",
      })
  void listings(String sql, String columns) {
    PreparedStatement.Query query = session.query(sql);
    assertEquals(columns, session.columns(sql));
    QueryPlan plan = query.plan(ParameterValues.none(), session.context());
    assertEquals(1, plan.hostScans().size());
  }

  @Test
  void explains() {
    PreparedStatement.Explain explain =
        assertInstanceOf(
            PreparedStatement.Explain.class,
            session.prepare("EXPLAIN LOGICAL SELECT id FROM t WHERE id = ?"));
    assertEquals(PreparedStatement.Explain.Detail.LOGICAL, explain.detail());
    assertEquals(1, explain.parameterSchema().getFields().size());
    assertEquals("plan", explain.resultSchema().getFields().get(0).getName());
  }

  private static String chain(int terms) {
    return IntStream.range(0, terms)
        .mapToObj(i -> "qty + " + i + " = id")
        .collect(Collectors.joining(" OR ", "SELECT id FROM events WHERE ", ""));
  }

  @Test
  void plansLongChainsOnALargeStack() {
    session.query(chain(3_000));
  }

  @Test
  void endsBeforeTheStackDoes() {
    FulmarException error = limited(SMALL_STACK, Duration.ofSeconds(60), chain(3_000));
    assertEquals(ErrorCode.STATEMENT_TOO_COMPLEX, error.code());
  }

  @Test
  void endsInTime() {
    FulmarException error = limited(64L << 20, Duration.ofMillis(1), chain(2_000));
    assertEquals(ErrorCode.TIMEOUT, error.code());
  }

  private static FulmarException limited(long stack, Duration timeout, String sql) {
    StatementLimits limits = new StatementLimits(1_000_000, 100_000, 500, stack, timeout);
    SqlPlanner planner =
        new SqlPlanner(catalog.registry(), SystemTables.none(), limits, PlanLimits.DEFAULT);
    return assertThrows(FulmarException.class, () -> PlannerSession.of(planner, "db").prepare(sql));
  }

  @Test
  void errorsKeepTheirCause() {
    FulmarException error =
        assertThrows(FulmarException.class, () -> session.prepare("SELECT nope FROM t"));
    assertEquals(Optional.of("nope"), error.position().map(position -> position.text()));
  }
}
