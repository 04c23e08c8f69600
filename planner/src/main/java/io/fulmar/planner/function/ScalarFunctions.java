package io.fulmar.planner.function;

import static org.apache.calcite.sql.type.OperandTypes.family;
import static org.apache.calcite.sql.type.OperandTypes.or;

import io.fulmar.engine.plan.ScalarFunction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlOperandCountRanges;
import org.apache.calcite.sql.type.SqlOperandTypeChecker;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeTransforms;

/**
 * Functions beside Calcite's standard ones. Each stands for one function of the plan language and
 * has its operands in the plan's order; aliases are functions of their own.
 */
final class ScalarFunctions {
  private static final List<SqlOperator> ALL = new ArrayList<>();
  private static final Map<SqlOperator, ScalarFunction> MAPPING = new HashMap<>();

  private static final SqlTypeFamily TEXT = SqlTypeFamily.CHARACTER;
  private static final SqlTypeFamily INT = SqlTypeFamily.INTEGER;
  private static final SqlTypeFamily NUMBER = SqlTypeFamily.NUMERIC;
  private static final SqlTypeFamily TIME = SqlTypeFamily.DATETIME;
  private static final SqlTypeFamily ARRAY = SqlTypeFamily.ARRAY;
  private static final SqlTypeFamily ANY = SqlTypeFamily.ANY;

  private static final SqlReturnTypeInference TEXT_OUT = nullable(SqlTypeName.VARCHAR);
  private static final SqlReturnTypeInference INTEGER_OUT = nullable(SqlTypeName.INTEGER);
  private static final SqlReturnTypeInference BIGINT_OUT = nullable(SqlTypeName.BIGINT);
  private static final SqlReturnTypeInference DOUBLE_OUT = nullable(SqlTypeName.DOUBLE);
  private static final SqlReturnTypeInference BOOLEAN_OUT = nullable(SqlTypeName.BOOLEAN);
  private static final SqlReturnTypeInference DATE_OUT = nullable(SqlTypeName.DATE);
  private static final SqlReturnTypeInference TIMESTAMP_OUT = nullable(SqlTypeName.TIMESTAMP);

  /** (part, date or time): the part as BIGINT; what EXTRACT and YEAR() become. */
  static final SqlFunction EXTRACT_PART =
      define(ScalarFunction.EXTRACT, BIGINT_OUT, family(TEXT, ANY), "DATE_PART", "DATEPART");

  static final SqlFunction DATE_TRUNC =
      define(
          ScalarFunction.DATE_TRUNC,
          ReturnTypes.ARG1.andThen(SqlTypeTransforms.TO_NULLABLE),
          family(TEXT, TIME),
          "DATE_TRUNC");

  static final SqlFunction AT_TIME_ZONE =
      define(
          ScalarFunction.AT_TIME_ZONE,
          OperandTypeRules.otherZoning(),
          family(SqlTypeFamily.TIMESTAMP, TEXT),
          "AT_TIME_ZONE");

  /** (part, from, to). */
  static final SqlFunction TIMESTAMP_DIFF =
      define(ScalarFunction.TIMESTAMP_DIFF, BIGINT_OUT, family(TEXT, TIME, TIME), "TIMESTAMP_DIFF");

  /** (timestamp, timestamp): an interval. */
  static final SqlFunction TIMESTAMP_MINUS =
      define(
          ScalarFunction.TIMESTAMP_MINUS,
          ReturnTypes.ARG0,
          family(SqlTypeFamily.TIMESTAMP, SqlTypeFamily.TIMESTAMP),
          "TIMESTAMP_MINUS");

  /** (date, date): days as INTEGER. */
  static final SqlFunction DATE_DIFF_DAYS =
      define(
          ScalarFunction.DATE_DIFF_DAYS,
          INTEGER_OUT,
          family(SqlTypeFamily.DATE, SqlTypeFamily.DATE),
          "DATE_DIFF_DAYS");

  static final SqlFunction TRIM_BOTH = text(ScalarFunction.TRIM, 1, 2, "BTRIM");
  static final SqlFunction TRIM_LEFT = text(ScalarFunction.LTRIM, 1, 2, "LTRIM");
  static final SqlFunction TRIM_RIGHT = text(ScalarFunction.RTRIM, 1, 2, "RTRIM");

  /** (value, regular expression[, flags]). */
  static final SqlFunction REGEXP_LIKE =
      define(ScalarFunction.REGEXP_LIKE, BOOLEAN_OUT, texts(2, 3), "REGEXP_LIKE", "REGEXP_MATCHES");

  /** (value, regular expression, group). */
  static final SqlFunction REGEXP_EXTRACT =
      define(
          ScalarFunction.REGEXP_EXTRACT,
          TEXT_OUT.andThen(SqlTypeTransforms.FORCE_NULLABLE),
          or(family(TEXT, TEXT), family(TEXT, TEXT, INT)),
          "REGEXP_EXTRACT",
          "REGEXP_SUBSTR");

  /** NULL counts as ''. */
  static final SqlFunction CONCAT =
      define(
          ScalarFunction.CONCAT,
          ReturnTypes.VARCHAR,
          OperandTypes.variadic(SqlOperandCountRanges.from(1)),
          "CONCAT");

  static final SqlFunction CONCAT_WS =
      define(
          ScalarFunction.CONCAT_WS,
          ReturnTypes.VARCHAR.andThen(SqlTypeTransforms.ARG0_NULLABLE),
          OperandTypes.variadic(SqlOperandCountRanges.from(2)),
          "CONCAT_WS");

  static final SqlFunction GREATEST =
      define(
          ScalarFunction.GREATEST,
          ReturnTypes.LEAST_RESTRICTIVE.andThen(SqlTypeTransforms.LEAST_NULLABLE),
          OperandTypes.SAME_VARIADIC,
          "GREATEST");

  static final SqlFunction LEAST =
      define(
          ScalarFunction.LEAST,
          ReturnTypes.LEAST_RESTRICTIVE.andThen(SqlTypeTransforms.LEAST_NULLABLE),
          OperandTypes.SAME_VARIADIC,
          "LEAST");

  static final SqlFunction POSITION_IN =
      define(ScalarFunction.POSITION, INTEGER_OUT, texts(2, 2), "POSITION_IN");

  static final SqlFunction ARRAY_CONCAT =
      define(
          ScalarFunction.ARRAY_CONCAT,
          ReturnTypes.LEAST_RESTRICTIVE.andThen(SqlTypeTransforms.TO_NULLABLE),
          family(ARRAY, ARRAY),
          "ARRAY_CONCAT");

  private ScalarFunctions() {}

  static List<SqlOperator> all() {
    return List.copyOf(ALL);
  }

  static Map<SqlOperator, ScalarFunction> mapping() {
    return Map.copyOf(MAPPING);
  }

  static {
    defineStrings();
    defineNumbers();
    defineTimes();
    defineNested();
  }

  private static void defineStrings() {
    define(ScalarFunction.CHAR_LENGTH, INTEGER_OUT, family(TEXT), "LENGTH", "LEN");
    define(ScalarFunction.BIT_LENGTH, INTEGER_OUT, family(SqlTypeFamily.STRING), "BIT_LENGTH");
    define(ScalarFunction.REVERSE, TEXT_OUT, family(TEXT), "REVERSE");
    define(ScalarFunction.REPEAT, TEXT_OUT, family(TEXT, INT), "REPEAT");
    define(ScalarFunction.LEFT_STRING, TEXT_OUT, family(TEXT, INT), "LEFT");
    define(ScalarFunction.RIGHT_STRING, TEXT_OUT, family(TEXT, INT), "RIGHT");
    SqlOperandTypeChecker pad = or(family(TEXT, INT), family(TEXT, INT, TEXT));
    define(ScalarFunction.LPAD, TEXT_OUT, pad, "LPAD");
    define(ScalarFunction.RPAD, TEXT_OUT, pad, "RPAD");
    text(ScalarFunction.TRANSLATE, 3, 3, "TRANSLATE3");
    define(ScalarFunction.SPLIT_PART, TEXT_OUT, family(TEXT, TEXT, INT), "SPLIT_PART");
    define(ScalarFunction.STARTS_WITH, BOOLEAN_OUT, texts(2, 2), "STARTS_WITH", "STARTSWITH");
    define(ScalarFunction.ENDS_WITH, BOOLEAN_OUT, texts(2, 2), "ENDS_WITH", "ENDSWITH");
    define(ScalarFunction.CONTAINS, BOOLEAN_OUT, texts(2, 2), "CONTAINS");
    define(ScalarFunction.CHR, TEXT_OUT, family(INT), "CHR");
    define(
        ScalarFunction.TO_HEX, TEXT_OUT, or(family(INT), family(SqlTypeFamily.BINARY)), "TO_HEX");
    SqlOperandTypeChecker hashable = family(SqlTypeFamily.STRING);
    define(ScalarFunction.MD5, TEXT_OUT, hashable, "MD5");
    define(ScalarFunction.SHA256, TEXT_OUT, hashable, "SHA256");
    define(ScalarFunction.SHA512, TEXT_OUT, hashable, "SHA512");
    define(
        ScalarFunction.SUBSTRING,
        OperandTypeRules.varying(),
        OperandTypeRules.substring(),
        "SUBSTR");
    text(ScalarFunction.REGEXP_REPLACE, 3, 4, "REGEXP_REPLACE");
    define(ScalarFunction.REGEXP_COUNT, BIGINT_OUT, texts(2, 2), "REGEXP_COUNT");
    define(ScalarFunction.LEVENSHTEIN, INTEGER_OUT, texts(2, 2), "LEVENSHTEIN");
    define(
        ScalarFunction.STRING_TO_ARRAY,
        OperandTypeRules.arrayOf(SqlTypeName.VARCHAR),
        texts(2, 3),
        "STRING_TO_ARRAY");
    define(
        ScalarFunction.JSON_VALUE,
        TEXT_OUT.andThen(SqlTypeTransforms.FORCE_NULLABLE),
        texts(2, 2),
        "JSON_EXTRACT_SCALAR");
    define(ScalarFunction.TO_JSON, TEXT_OUT, family(ANY), "TO_JSON");
    define(ScalarFunction.TYPEOF, ReturnTypes.VARCHAR, family(ANY), "TYPEOF");
  }

  private static void defineNumbers() {
    define(ScalarFunction.LOG2, DOUBLE_OUT, family(NUMBER), "LOG2");
    define(ScalarFunction.LOG, DOUBLE_OUT, or(family(NUMBER), family(NUMBER, NUMBER)), "LOG");
    define(ScalarFunction.POWER, DOUBLE_OUT, family(NUMBER, NUMBER), "POW");
    define(ScalarFunction.SINH, DOUBLE_OUT, family(NUMBER), "SINH");
    define(ScalarFunction.COSH, DOUBLE_OUT, family(NUMBER), "COSH");
    define(ScalarFunction.TANH, DOUBLE_OUT, family(NUMBER), "TANH");
    define(ScalarFunction.PI, ReturnTypes.DOUBLE, OperandTypes.NILADIC, "PI");
    ALL.add(random("RANDOM"));
    ALL.add(random("RAND"));
    define(
        ScalarFunction.TRUNCATE,
        ReturnTypes.ARG0_NULLABLE,
        or(family(NUMBER), family(NUMBER, INT)),
        "TRUNC");
    SqlReturnTypeInference wider =
        ReturnTypes.LEAST_RESTRICTIVE.andThen(SqlTypeTransforms.TO_NULLABLE);
    define(ScalarFunction.BIT_AND, wider, family(INT, INT), "BITAND");
    define(ScalarFunction.BIT_OR, wider, family(INT, INT), "BITOR");
    define(ScalarFunction.BIT_XOR, wider, family(INT, INT), "BITXOR");
    define(ScalarFunction.BIT_NOT, ReturnTypes.ARG0_NULLABLE, family(INT), "BITNOT");
    define(ScalarFunction.SHIFT_LEFT, ReturnTypes.ARG0_NULLABLE, family(INT, INT), "SHIFT_LEFT");
    define(ScalarFunction.SHIFT_RIGHT, ReturnTypes.ARG0_NULLABLE, family(INT, INT), "SHIFT_RIGHT");
  }

  private static SqlFunction random(String name) {
    SqlFunction function =
        new SqlFunction(
            name,
            SqlKind.OTHER_FUNCTION,
            ReturnTypes.DOUBLE,
            null,
            OperandTypes.NILADIC,
            SqlFunctionCategory.NUMERIC) {
          @Override
          public boolean isDeterministic() {
            return false;
          }
        };
    MAPPING.put(function, ScalarFunction.RANDOM);
    return function;
  }

  private static void defineTimes() {
    define(
        ScalarFunction.TO_CHAR, TEXT_OUT, or(family(TIME, TEXT), family(NUMBER, TEXT)), "TO_CHAR");
    define(ScalarFunction.TO_DATE, DATE_OUT, texts(2, 2), "TO_DATE");
    define(ScalarFunction.TO_TIMESTAMP, TIMESTAMP_OUT, texts(2, 2), "TO_TIMESTAMP");
    define(
        ScalarFunction.DATE_BIN,
        ReturnTypes.ARG1.andThen(SqlTypeTransforms.TO_NULLABLE),
        or(
            family(SqlTypeFamily.INTERVAL_DAY_TIME, SqlTypeFamily.TIMESTAMP),
            family(
                SqlTypeFamily.INTERVAL_DAY_TIME, SqlTypeFamily.TIMESTAMP, SqlTypeFamily.TIMESTAMP)),
        "DATE_BIN");
    define(ScalarFunction.MAKE_DATE, DATE_OUT, family(INT, INT, INT), "MAKE_DATE");
    define(ScalarFunction.FROM_UNIXTIME, TIMESTAMP_OUT, family(NUMBER), "FROM_UNIXTIME");
    define(ScalarFunction.TO_UNIXTIME, DOUBLE_OUT, family(TIME), "TO_UNIXTIME");
  }

  private static void defineNested() {
    define(ScalarFunction.ARRAY_CONTAINS, BOOLEAN_OUT, family(ARRAY, ANY), "ARRAY_CONTAINS");
    define(ScalarFunction.CARDINALITY, INTEGER_OUT, family(ARRAY), "ARRAY_LENGTH", "ARRAY_SIZE");
    define(
        ScalarFunction.MAP_KEYS, OperandTypeRules.mapKeys(), family(SqlTypeFamily.MAP), "MAP_KEYS");
    define(
        ScalarFunction.MAP_VALUES,
        OperandTypeRules.mapValues(),
        family(SqlTypeFamily.MAP),
        "MAP_VALUES");
    define(
        ScalarFunction.ARRAY_TO_STRING,
        TEXT_OUT,
        family(ARRAY, TEXT),
        "ARRAY_TO_STRING",
        "ARRAY_JOIN");
    SqlReturnTypeInference same = ReturnTypes.ARG0_NULLABLE;
    define(ScalarFunction.ARRAY_DISTINCT, same, family(ARRAY), "ARRAY_DISTINCT");
    define(
        ScalarFunction.ARRAY_POSITION,
        BIGINT_OUT.andThen(SqlTypeTransforms.FORCE_NULLABLE),
        family(ARRAY, ANY),
        "ARRAY_POSITION");
    define(ScalarFunction.ARRAY_SLICE, same, family(ARRAY, INT, INT), "ARRAY_SLICE");
    define(ScalarFunction.ARRAY_SORT, same, family(ARRAY), "ARRAY_SORT");
  }

  private static SqlReturnTypeInference nullable(SqlTypeName type) {
    return ReturnTypes.explicit(type).andThen(SqlTypeTransforms.TO_NULLABLE);
  }

  private static SqlOperandTypeChecker texts(int from, int to) {
    List<SqlTypeFamily> families = new ArrayList<>();
    for (int i = 0; i < to; i++) {
      families.add(TEXT);
    }
    return family(families, index -> index >= from);
  }

  private static SqlFunction text(ScalarFunction function, int from, int to, String name) {
    return define(function, TEXT_OUT, texts(from, to), name);
  }

  /** Defines a function and its aliases; gives the one of the first name. */
  private static SqlFunction define(
      ScalarFunction function,
      SqlReturnTypeInference result,
      SqlOperandTypeChecker operands,
      String name,
      String... aliases) {
    SqlFunction first = define(function, result, operands, name);
    for (String alias : aliases) {
      define(function, result, operands, alias);
    }
    return first;
  }

  private static SqlFunction define(
      ScalarFunction function,
      SqlReturnTypeInference result,
      SqlOperandTypeChecker operands,
      String name) {
    SqlFunction defined =
        new SqlFunction(
            name,
            SqlKind.OTHER_FUNCTION,
            result,
            null,
            operands,
            SqlFunctionCategory.USER_DEFINED_FUNCTION);
    ALL.add(defined);
    MAPPING.put(defined, function);
    return defined;
  }
}
