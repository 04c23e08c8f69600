package io.fulmar.planner.validate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.planner.testing.PlannerSession;
import io.fulmar.planner.testing.TestCatalog;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Unquoted: the exact match, else the one match that differs by case, else ambiguous. Quoted:
 * exact. Results keep the column's own spelling (case C085).
 */
class NameRulesTest {
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
        "SELECT loanid FROM loans                                | LoanID Int(64, true)",
        "SELECT \"LoanID\" FROM \"Loans\"                        | LoanID Int(64, true)",
        "SELECT a, A FROM Loans                                  | a Int(32, true), A Utf8",
        "SELECT \"A\" FROM loans                                 | A Utf8",
        "SELECT \"odd name\", \"dot.ted\", \"😀\" FROM loans      | odd name Utf8, dot.ted Utf8, 😀 Utf8",
        "SELECT xX FROM loans                                    | xX Utf8",
        "SELECT L.loanid FROM loans AS l                         | LoanID Int(64, true)",
        "SELECT t.a, T.a FROM (SELECT 1 AS a) t, (SELECT 'x' AS a) T | a Int(32, true), a Utf8",
        "SELECT x FROM \"Twin\"                                  | x Int(64, true)",
        "SELECT c FROM lake.ns1.ns2.deep                         | c Utf8",
        "SELECT c FROM LAKE.NS1.\"ns2\".Deep                     | c Utf8",
        "SELECT c FROM lake.\"ns1.ns2\".deep                     | c Utf8",
        "SELECT c FROM ns1.ns2.deep                              | c Utf8",
        "SELECT ns1.ns2.deep.c FROM ns1.ns2.deep                 | c Utf8",
        "SELECT lake.db.t.id, db.t.id, t.id FROM t               | id Int(64, true), id Int(64, true), id Int(64, true)",
        "SELECT ID FROM T                                        | id Int(64, true)",
        "SELECT parent_id FROM t.snapshots                       | parent_id Int(64, true)",
        "SELECT parent_id FROM LAKE.db.T.SNAPSHOTS               | parent_id Int(64, true)",
        "SELECT snapshots.parent_id FROM db.t.\"snapshots\"       | parent_id Int(64, true)",
        "SELECT s.content FROM t.files AS s                      | content Int(32, true)",
        "SELECT c FROM ns1.ns2.files                             | c Utf8",
        "WITH Q AS (SELECT 1 AS n) SELECT N FROM q               | n Int(32, true)",
        "WITH t AS (SELECT 'x' AS v) SELECT * FROM T             | v Utf8",
        "SELECT v FROM (WITH t AS (SELECT 'x' AS v) SELECT * FROM t), t | v Utf8",
      })
  void resolves(String sql, String columns) {
    assertEquals(columns, spelled(sql));
  }

  /** Names as they are written where the statement gives them, else as the table has them. */
  private static String spelled(String sql) {
    return session.columns(sql);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT ^xx^ FROM loans           | AMBIGUOUS_NAME | Column \"xx\" fits several: xX, Xx",
        "SELECT x FROM ^twin^             | AMBIGUOUS_NAME | Table \"twin\" fits several: TWIN, Twin",
        "SELECT ^\"loanid\"^ FROM loans   | UNKNOWN_COLUMN | Column \"loanid\" is not visible here",
        "SELECT 1 FROM ^\"loans\"^        | UNKNOWN_TABLE  | No table \"loans\" exists in lake.db",
        "SELECT 1 FROM ^\"DB\"^.t         | UNKNOWN_SCHEMA | No schema \"DB\" exists in catalog lake",
        "SELECT 1 FROM ^nocat^.db.t       | UNKNOWN_CATALOG | No catalog \"nocat\" exists",
        "SELECT ^id^ FROM events, users   | AMBIGUOUS_NAME | Column \"id\" is in several tables; write it with its table",
        "SELECT 1 FROM ^\"t$snapshotz\"^  | UNKNOWN_TABLE  | Table lake.db.t has no metadata table \"snapshotz\"",
      })
  void refuses(String marked, ErrorCode code, String message) {
    FulmarException error = session.error(marked);
    assertEquals(code, error.code());
    assertEquals(message, error.getMessage());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT addr.city FROM events                     | city Utf8",
        "SELECT e.addr.geo.lat FROM events e              | lat FloatingPoint(DOUBLE)",
        "SELECT ADDR.GEO.Lat FROM events                  | lat FloatingPoint(DOUBLE)",
        "SELECT items[1].sku AS sku FROM events           | sku Utf8",
        "SELECT props['k'] AS k FROM events               | k Utf8",
        "SELECT addr.geo.id, e.id FROM events e           | id Int(64, true), id Int(64, true)",
        "SELECT city FROM events e, users u WHERE e.user_id = u.id | city Utf8",
      })
  void structFields(String sql, String columns) {
    assertEquals(columns, session.columns(sql));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT _file, _pos FROM t          | _file Utf8, _pos Int(64, true)",
        "SELECT _pos, * FROM t              | _pos Int(64, true), id Int(64, true)",
        "SELECT x.*, x._spec_id FROM t x    | id Int(64, true), _spec_id Int(32, true)",
        "SELECT * FROM (SELECT _file FROM t) | _file Utf8",
        "SELECT _row_id, _last_updated_sequence_number FROM t | _row_id Int(64, true), _last_updated_sequence_number Int(64, true)",
      })
  void metadataColumns(String sql, String columns) {
    assertEquals(columns, session.columns(sql));
  }
}
