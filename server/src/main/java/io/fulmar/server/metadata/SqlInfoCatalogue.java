package io.fulmar.server.metadata;

import static io.fulmar.server.metadata.SqlWords.DATETIME_FUNCTIONS;
import static io.fulmar.server.metadata.SqlWords.KEYWORDS;
import static io.fulmar.server.metadata.SqlWords.NUMERIC_FUNCTIONS;
import static io.fulmar.server.metadata.SqlWords.STRING_FUNCTIONS;
import static io.fulmar.server.metadata.SqlWords.SYSTEM_FUNCTIONS;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.arrow.flight.sql.impl.FlightSql.SqlInfo;
import org.apache.arrow.flight.sql.impl.FlightSql.SqlNullOrdering;
import org.apache.arrow.flight.sql.impl.FlightSql.SqlSupportedCaseSensitivity;

/**
 * What GetSqlInfo tells: each id of driver 18.3.0 and no other, since that driver fails on a
 * missing id and on an unknown one alike. Unknown ids that were asked for are left out.
 */
final class SqlInfoCatalogue {
  private static final int ALL_GROUP_BY = 0b11;
  private static final int ALL_GRAMMARS = 0b111;
  private static final int ENTRY_AND_INTERMEDIATE = 0b011;
  private static final int ALL_OUTER_JOINS = 0b111;
  private static final int ALL_SUBQUERIES = 0b1111;
  private static final int ALL_UNIONS = 0b11;
  private static final int IN_PROCEDURE_CALLS = 0b001;
  private static final int FORWARD_ONLY = 0b10;
  private static final int READ_ONLY = 0b10;

  private final TreeMap<Integer, SqlInfoValue> values = new TreeMap<>();

  SqlInfoCatalogue(String version, int statementTimeoutMillis) {
    describeServer(version, statementTimeoutMillis);
    describeNames();
    describeSyntax();
    describeLimits();
    describeTransactions();
  }

  /** The wanted ids, or all of them where none is named. */
  MetadataAnswer answer(Collection<Integer> wanted) {
    if (wanted.isEmpty()) {
      return new SqlInfoWriter(values);
    }

    Map<Integer, SqlInfoValue> chosen = new TreeMap<>(values);
    chosen.keySet().retainAll(wanted);
    return new SqlInfoWriter(chosen);
  }

  /** All values by id. */
  Map<Integer, SqlInfoValue> values() {
    return Map.copyOf(values);
  }

  private void describeServer(String version, int statementTimeoutMillis) {
    text(SqlInfo.FLIGHT_SQL_SERVER_NAME, "Fulmar");
    text(SqlInfo.FLIGHT_SQL_SERVER_VERSION, version);
    text(SqlInfo.FLIGHT_SQL_SERVER_ARROW_VERSION, "18.3.0");
    flag(SqlInfo.FLIGHT_SQL_SERVER_READ_ONLY, false);
    flag(SqlInfo.FLIGHT_SQL_SERVER_SQL, true);
    flag(SqlInfo.FLIGHT_SQL_SERVER_SUBSTRAIT, false);
    text(SqlInfo.FLIGHT_SQL_SERVER_SUBSTRAIT_MIN_VERSION, "");
    text(SqlInfo.FLIGHT_SQL_SERVER_SUBSTRAIT_MAX_VERSION, "");
    bits(SqlInfo.FLIGHT_SQL_SERVER_TRANSACTION, 0);
    flag(SqlInfo.FLIGHT_SQL_SERVER_CANCEL, true);
    flag(SqlInfo.FLIGHT_SQL_SERVER_BULK_INGESTION, false);
    flag(SqlInfo.FLIGHT_SQL_SERVER_INGEST_TRANSACTIONS_SUPPORTED, false);
    bits(SqlInfo.FLIGHT_SQL_SERVER_STATEMENT_TIMEOUT, statementTimeoutMillis);
    bits(SqlInfo.FLIGHT_SQL_SERVER_TRANSACTION_TIMEOUT, 0);
  }

  private void describeNames() {
    flag(SqlInfo.SQL_DDL_CATALOG, false);
    flag(SqlInfo.SQL_DDL_SCHEMA, true);
    flag(SqlInfo.SQL_DDL_TABLE, false);
    int insensitive = SqlSupportedCaseSensitivity.SQL_CASE_SENSITIVITY_CASE_INSENSITIVE_VALUE;
    big(SqlInfo.SQL_IDENTIFIER_CASE, insensitive);
    text(SqlInfo.SQL_IDENTIFIER_QUOTE_CHAR, "\"");
    big(SqlInfo.SQL_QUOTED_IDENTIFIER_CASE, insensitive);
    flag(SqlInfo.SQL_ALL_TABLES_ARE_SELECTABLE, true);
    big(SqlInfo.SQL_NULL_ORDERING, SqlNullOrdering.SQL_NULLS_SORTED_HIGH_VALUE);
    texts(SqlInfo.SQL_KEYWORDS, KEYWORDS);
    texts(SqlInfo.SQL_NUMERIC_FUNCTIONS, NUMERIC_FUNCTIONS);
    texts(SqlInfo.SQL_STRING_FUNCTIONS, STRING_FUNCTIONS);
    texts(SqlInfo.SQL_SYSTEM_FUNCTIONS, SYSTEM_FUNCTIONS);
    texts(SqlInfo.SQL_DATETIME_FUNCTIONS, DATETIME_FUNCTIONS);
    text(SqlInfo.SQL_SEARCH_STRING_ESCAPE, "\\");
    text(SqlInfo.SQL_EXTRA_NAME_CHARACTERS, "");
    text(SqlInfo.SQL_SCHEMA_TERM, "schema");
    text(SqlInfo.SQL_PROCEDURE_TERM, "procedure");
    text(SqlInfo.SQL_CATALOG_TERM, "catalog");
    flag(SqlInfo.SQL_CATALOG_AT_START, true);
    bits(SqlInfo.SQL_SCHEMAS_SUPPORTED_ACTIONS, IN_PROCEDURE_CALLS);
    bits(SqlInfo.SQL_CATALOGS_SUPPORTED_ACTIONS, IN_PROCEDURE_CALLS);
  }

  private void describeSyntax() {
    flag(SqlInfo.SQL_SUPPORTS_COLUMN_ALIASING, true);
    flag(SqlInfo.SQL_NULL_PLUS_NULL_IS_NULL, true);
    values.put(SqlInfo.SQL_SUPPORTS_CONVERT_VALUE, new SqlInfoValue.EmptyMap());
    flag(SqlInfo.SQL_SUPPORTS_TABLE_CORRELATION_NAMES, true);
    flag(SqlInfo.SQL_SUPPORTS_DIFFERENT_TABLE_CORRELATION_NAMES, false);
    flag(SqlInfo.SQL_SUPPORTS_EXPRESSIONS_IN_ORDER_BY, true);
    flag(SqlInfo.SQL_SUPPORTS_ORDER_BY_UNRELATED, true);
    bits(SqlInfo.SQL_SUPPORTED_GROUP_BY, ALL_GROUP_BY);
    flag(SqlInfo.SQL_SUPPORTS_LIKE_ESCAPE_CLAUSE, true);
    flag(SqlInfo.SQL_SUPPORTS_NON_NULLABLE_COLUMNS, true);
    bits(SqlInfo.SQL_SUPPORTED_GRAMMAR, ALL_GRAMMARS);
    bits(SqlInfo.SQL_ANSI92_SUPPORTED_LEVEL, ENTRY_AND_INTERMEDIATE);
    flag(SqlInfo.SQL_SUPPORTS_INTEGRITY_ENHANCEMENT_FACILITY, false);
    bits(SqlInfo.SQL_OUTER_JOINS_SUPPORT_LEVEL, ALL_OUTER_JOINS);
    bits(SqlInfo.SQL_SUPPORTED_POSITIONED_COMMANDS, 0);
    flag(SqlInfo.SQL_SELECT_FOR_UPDATE_SUPPORTED, false);
    flag(SqlInfo.SQL_STORED_PROCEDURES_SUPPORTED, false);
    bits(SqlInfo.SQL_SUPPORTED_SUBQUERIES, ALL_SUBQUERIES);
    flag(SqlInfo.SQL_CORRELATED_SUBQUERIES_SUPPORTED, true);
    bits(SqlInfo.SQL_SUPPORTED_UNIONS, ALL_UNIONS);
    flag(SqlInfo.SQL_NAMED_PARAMETERS_SUPPORTED, false);
    flag(SqlInfo.SQL_LOCATORS_UPDATE_COPY, false);
    flag(SqlInfo.SQL_STORED_FUNCTIONS_USING_CALL_SYNTAX_SUPPORTED, false);
  }

  /** Zero: no limit, or an unknown one. */
  private void describeLimits() {
    List<SqlInfo> limits =
        List.of(
            SqlInfo.SQL_MAX_BINARY_LITERAL_LENGTH, SqlInfo.SQL_MAX_CHAR_LITERAL_LENGTH,
            SqlInfo.SQL_MAX_COLUMN_NAME_LENGTH, SqlInfo.SQL_MAX_COLUMNS_IN_GROUP_BY,
            SqlInfo.SQL_MAX_COLUMNS_IN_INDEX, SqlInfo.SQL_MAX_COLUMNS_IN_ORDER_BY,
            SqlInfo.SQL_MAX_COLUMNS_IN_SELECT, SqlInfo.SQL_MAX_COLUMNS_IN_TABLE,
            SqlInfo.SQL_MAX_CONNECTIONS, SqlInfo.SQL_MAX_CURSOR_NAME_LENGTH,
            SqlInfo.SQL_MAX_INDEX_LENGTH, SqlInfo.SQL_DB_SCHEMA_NAME_LENGTH,
            SqlInfo.SQL_MAX_PROCEDURE_NAME_LENGTH, SqlInfo.SQL_MAX_CATALOG_NAME_LENGTH,
            SqlInfo.SQL_MAX_ROW_SIZE, SqlInfo.SQL_MAX_STATEMENT_LENGTH,
            SqlInfo.SQL_MAX_STATEMENTS, SqlInfo.SQL_MAX_TABLE_NAME_LENGTH,
            SqlInfo.SQL_MAX_TABLES_IN_SELECT, SqlInfo.SQL_MAX_USERNAME_LENGTH);
    limits.forEach(limit -> big(limit, 0));
    flag(SqlInfo.SQL_MAX_ROW_SIZE_INCLUDES_BLOBS, true);
  }

  private void describeTransactions() {
    big(SqlInfo.SQL_DEFAULT_TRANSACTION_ISOLATION, 0);
    flag(SqlInfo.SQL_TRANSACTIONS_SUPPORTED, false);
    bits(SqlInfo.SQL_SUPPORTED_TRANSACTIONS_ISOLATION_LEVELS, 0);
    flag(SqlInfo.SQL_DATA_DEFINITION_CAUSES_TRANSACTION_COMMIT, false);
    flag(SqlInfo.SQL_DATA_DEFINITIONS_IN_TRANSACTIONS_IGNORED, false);
    bits(SqlInfo.SQL_SUPPORTED_RESULT_SET_TYPES, FORWARD_ONLY);
    bits(SqlInfo.SQL_SUPPORTED_CONCURRENCIES_FOR_RESULT_SET_UNSPECIFIED, 0);
    bits(SqlInfo.SQL_SUPPORTED_CONCURRENCIES_FOR_RESULT_SET_FORWARD_ONLY, READ_ONLY);
    bits(SqlInfo.SQL_SUPPORTED_CONCURRENCIES_FOR_RESULT_SET_SCROLL_SENSITIVE, 0);
    bits(SqlInfo.SQL_SUPPORTED_CONCURRENCIES_FOR_RESULT_SET_SCROLL_INSENSITIVE, 0);
    flag(SqlInfo.SQL_BATCH_UPDATES_SUPPORTED, true);
    flag(SqlInfo.SQL_SAVEPOINTS_SUPPORTED, false);
  }

  private void text(SqlInfo id, String value) {
    values.put(id.getNumber(), new SqlInfoValue.Text(value));
  }

  private void texts(SqlInfo id, List<String> value) {
    values.put(id.getNumber(), new SqlInfoValue.Texts(value));
  }

  private void flag(SqlInfo id, boolean value) {
    values.put(id.getNumber(), new SqlInfoValue.Flag(value));
  }

  private void bits(SqlInfo id, int value) {
    values.put(id.getNumber(), new SqlInfoValue.Bits(value));
  }

  private void big(SqlInfo id, long value) {
    values.put(id.getNumber(), new SqlInfoValue.Big(value));
  }
}
