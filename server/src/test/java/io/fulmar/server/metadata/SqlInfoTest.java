package io.fulmar.server.metadata;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.arrow.flight.sql.impl.FlightSql.SqlInfo;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.UInt4Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.DenseUnionVector;
import org.junit.jupiter.api.Test;

class SqlInfoTest {
  private final SqlInfoCatalogue catalogue = new SqlInfoCatalogue("1.2.3", 0);

  /** Driver 18.3.0 fails on a missing id, and on one it does not know. */
  @Test
  void hasEveryIdOfDriver18AndNoOther() {
    Set<Integer> known =
        Arrays.stream(SqlInfo.values())
            .filter(id -> id != SqlInfo.UNRECOGNIZED)
            .map(SqlInfo::getNumber)
            .collect(Collectors.toSet());

    assertEquals(new TreeSet<>(known), new TreeSet<>(catalogue.values().keySet()));
  }

  /** The driver casts each id to one Java type: a wrong union member is a ClassCastException. */
  @Test
  void valuesHaveTheMemberThatTheDriverCasts() {
    Map<Integer, SqlInfoValue> values = catalogue.values();
    values.forEach(
        (id, value) -> {
          SqlInfo info = SqlInfo.forNumber(id);
          Class<?> expected = expectedMember(info);
          assertEquals(expected, value.getClass(), info.name());
        });
  }

  @Test
  void writesWhatWasAskedFor() {
    try (BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot root = catalogue.answer(List.of(8, 0, 99_999, 508)).load(allocator)) {
      UInt4Vector ids = (UInt4Vector) root.getVector(0);
      DenseUnionVector union = (DenseUnionVector) root.getVector(1);
      assertEquals(3, root.getRowCount());
      assertEquals(0, ids.get(0));
      assertEquals("Fulmar", union.getObject(0).toString());
      assertEquals(8, ids.get(1));
      assertEquals(0, union.getObject(1));
      assertEquals(508, ids.get(2));
      assertTrue(union.getObject(2).toString().contains("LATERAL"), union.getObject(2).toString());
    }
  }

  @Test
  void writesAll() {
    try (BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot root = catalogue.answer(List.of()).load(allocator)) {
      assertEquals(catalogue.values().size(), root.getRowCount());
      DenseUnionVector union = (DenseUnionVector) root.getVector(1);
      Set<Byte> members = new HashSet<>();
      for (int row = 0; row < root.getRowCount(); row++) {
        members.add(union.getTypeId(row));
        union.getObject(row);
      }
      assertEquals(6, members.size());
    }
  }

  @Test
  void noFunctionNameHasAComma() {
    catalogue.values().values().stream()
        .filter(SqlInfoValue.Texts.class::isInstance)
        .flatMap(value -> ((SqlInfoValue.Texts) value).values().stream())
        .forEach(name -> assertTrue(name.matches("[A-Z0-9_]+"), name));
  }

  private static Class<?> expectedMember(SqlInfo info) {
    String name = info.name();
    if (name.equals("SQL_SUPPORTS_CONVERT")) {
      return SqlInfoValue.EmptyMap.class;
    }
    if (name.equals("SQL_KEYWORDS") || name.endsWith("_FUNCTIONS")) {
      return SqlInfoValue.Texts.class;
    }
    if (BIGINTS.contains(name) || (name.startsWith("SQL_MAX_") && !name.endsWith("_BLOBS"))) {
      return SqlInfoValue.Big.class;
    }
    if (BITS.contains(name) || name.contains("_CONCURRENCIES_") || name.endsWith("_TIMEOUT")) {
      return SqlInfoValue.Bits.class;
    }

    return TEXTS.contains(name) ? SqlInfoValue.Text.class : SqlInfoValue.Flag.class;
  }

  private static final Set<String> BIGINTS =
      Set.of(
          "SQL_IDENTIFIER_CASE",
          "SQL_QUOTED_IDENTIFIER_CASE",
          "SQL_NULL_ORDERING",
          "SQL_DB_SCHEMA_NAME_LENGTH",
          "SQL_DEFAULT_TRANSACTION_ISOLATION");
  private static final Set<String> BITS =
      Set.of(
          "FLIGHT_SQL_SERVER_TRANSACTION",
          "SQL_SUPPORTED_GROUP_BY",
          "SQL_SUPPORTED_GRAMMAR",
          "SQL_ANSI92_SUPPORTED_LEVEL",
          "SQL_OUTER_JOINS_SUPPORT_LEVEL",
          "SQL_SCHEMAS_SUPPORTED_ACTIONS",
          "SQL_CATALOGS_SUPPORTED_ACTIONS",
          "SQL_SUPPORTED_POSITIONED_COMMANDS",
          "SQL_SUPPORTED_SUBQUERIES",
          "SQL_SUPPORTED_UNIONS",
          "SQL_SUPPORTED_TRANSACTIONS_ISOLATION_LEVELS",
          "SQL_SUPPORTED_RESULT_SET_TYPES");
  private static final Set<String> TEXTS =
      Set.of(
          "FLIGHT_SQL_SERVER_NAME",
          "FLIGHT_SQL_SERVER_VERSION",
          "FLIGHT_SQL_SERVER_ARROW_VERSION",
          "FLIGHT_SQL_SERVER_SUBSTRAIT_MIN_VERSION",
          "FLIGHT_SQL_SERVER_SUBSTRAIT_MAX_VERSION",
          "SQL_IDENTIFIER_QUOTE_CHAR",
          "SQL_SEARCH_STRING_ESCAPE",
          "SQL_EXTRA_NAME_CHARACTERS",
          "SQL_SCHEMA_TERM",
          "SQL_PROCEDURE_TERM",
          "SQL_CATALOG_TERM");
}
