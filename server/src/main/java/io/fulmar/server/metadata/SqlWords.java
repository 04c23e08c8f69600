package io.fulmar.server.metadata;

import java.util.List;

/** Keywords and functions that tools show and complete; none holds a comma. */
final class SqlWords {
  static final List<String> KEYWORDS =
      List.of(
          "ASOF",
          "CUBE",
          "EXPLAIN",
          "FILTER",
          "GROUPING",
          "ILIKE",
          "LATERAL",
          "LIMIT",
          "MAP",
          "OFFSET",
          "OVER",
          "QUALIFY",
          "RESET",
          "ROLLUP",
          "SETS",
          "TABLESAMPLE",
          "UNNEST",
          "USE",
          "WINDOW",
          "WITHIN");

  static final List<String> NUMERIC_FUNCTIONS =
      List.of(
          "ABS",
          "ACOS",
          "ASIN",
          "ATAN",
          "ATAN2",
          "CBRT",
          "CEILING",
          "COS",
          "COT",
          "DEGREES",
          "EXP",
          "FLOOR",
          "LOG10",
          "LN",
          "MOD",
          "PI",
          "POWER",
          "RADIANS",
          "RAND",
          "ROUND",
          "SIGN",
          "SIN",
          "SQRT",
          "TAN",
          "TRUNCATE");

  static final List<String> STRING_FUNCTIONS =
      List.of(
          "ASCII",
          "CHAR_LENGTH",
          "CONCAT",
          "INITCAP",
          "LEFT",
          "LOWER",
          "LPAD",
          "LTRIM",
          "MD5",
          "OVERLAY",
          "POSITION",
          "REGEXP_LIKE",
          "REGEXP_REPLACE",
          "REPEAT",
          "REPLACE",
          "REVERSE",
          "RIGHT",
          "RPAD",
          "RTRIM",
          "SPLIT_PART",
          "SUBSTRING",
          "TRANSLATE",
          "TRIM",
          "UPPER");

  static final List<String> SYSTEM_FUNCTIONS =
      List.of("COALESCE", "CURRENT_CATALOG", "CURRENT_SCHEMA", "CURRENT_USER", "NULLIF", "TYPEOF");

  static final List<String> DATETIME_FUNCTIONS =
      List.of(
          "CURRENT_DATE",
          "CURRENT_TIME",
          "CURRENT_TIMESTAMP",
          "DATE_TRUNC",
          "EXTRACT",
          "LAST_DAY",
          "TIMESTAMPADD",
          "TIMESTAMPDIFF",
          "TO_CHAR",
          "TO_DATE",
          "TO_TIMESTAMP");

  private SqlWords() {}
}
