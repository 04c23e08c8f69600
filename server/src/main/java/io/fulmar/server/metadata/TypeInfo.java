package io.fulmar.server.metadata;

import static org.apache.arrow.flight.sql.impl.FlightSql.XdbcDataType.*;

import java.util.List;
import java.util.Optional;
import org.apache.arrow.flight.sql.FlightSqlProducer.Schemas;
import org.apache.arrow.flight.sql.impl.FlightSql.Nullable;
import org.apache.arrow.flight.sql.impl.FlightSql.Searchable;
import org.apache.arrow.flight.sql.impl.FlightSql.XdbcDataType;
import org.apache.arrow.flight.sql.impl.FlightSql.XdbcDatetimeSubcode;

/** GetXdbcTypeInfo: the SQL types, which ODBC clients need before they read any table. */
final class TypeInfo {
  private static final int UNBOUNDED = Integer.MAX_VALUE;
  private static final List<Type> TYPES =
      List.of(
          Type.number("TINYINT", XDBC_TINYINT, 3, 0),
          Type.number("BIGINT", XDBC_BIGINT, 19, 0),
          Type.bytes("VARBINARY", XDBC_VARBINARY),
          Type.bytes("BINARY", XDBC_BINARY),
          Type.text("CHAR", XDBC_CHAR),
          Type.number("DECIMAL", XDBC_DECIMAL, 38, 38).params("precision", "scale"),
          Type.number("INTEGER", XDBC_INTEGER, 10, 0),
          Type.number("SMALLINT", XDBC_SMALLINT, 5, 0),
          Type.number("REAL", XDBC_REAL, 7, 0),
          Type.number("DOUBLE", XDBC_DOUBLE, 15, 0),
          Type.text("VARCHAR", XDBC_VARCHAR),
          Type.other("BOOLEAN", XDBC_BIT, 1),
          Type.time("DATE", XDBC_DATE, 10, XdbcDatetimeSubcode.XDBC_SUBCODE_DATE, "DATE '"),
          Type.time("TIME", XDBC_TIME, 15, XdbcDatetimeSubcode.XDBC_SUBCODE_TIME, "TIME '"),
          Type.time(
              "TIMESTAMP",
              XDBC_TIMESTAMP,
              26,
              XdbcDatetimeSubcode.XDBC_SUBCODE_TIMESTAMP,
              "TIMESTAMP '"),
          Type.time(
              "TIMESTAMP WITH TIME ZONE",
              XDBC_TIMESTAMP,
              32,
              XdbcDatetimeSubcode.XDBC_SUBCODE_TIMESTAMP_WITH_TIMEZONE,
              "TIMESTAMP WITH TIME ZONE '"));

  private TypeInfo() {}

  /** All types, or those of one XDBC number. */
  static MetadataAnswer answer(Optional<Integer> dataType) {
    List<Object[]> rows =
        TYPES.stream()
            .filter(type -> dataType.map(wanted -> wanted == type.code.getNumber()).orElse(true))
            .map(Type::row)
            .toList();
    return new MetadataAnswer.Rows(Schemas.GET_TYPE_INFO_SCHEMA, rows);
  }

  private record Type(
      String name,
      XdbcDataType code,
      int size,
      String prefix,
      String suffix,
      List<String> params,
      boolean caseSensitive,
      Integer radix,
      Integer maxScale,
      Integer subcode) {
    static Type number(String name, XdbcDataType code, int digits, int maxScale) {
      return new Type(name, code, digits, null, null, List.of(), false, 10, maxScale, null);
    }

    static Type text(String name, XdbcDataType code) {
      return new Type(name, code, UNBOUNDED, "'", "'", List.of("length"), true, null, null, null);
    }

    static Type bytes(String name, XdbcDataType code) {
      return new Type(name, code, UNBOUNDED, "X'", "'", List.of("length"), false, null, null, null);
    }

    static Type other(String name, XdbcDataType code, int size) {
      return new Type(name, code, size, null, null, List.of(), false, null, null, null);
    }

    static Type time(
        String name, XdbcDataType code, int size, XdbcDatetimeSubcode subcode, String prefix) {
      return new Type(
          name, code, size, prefix, "'", List.of(), false, null, 6, subcode.getNumber());
    }

    Type params(String... names) {
      return new Type(
          name,
          code,
          size,
          prefix,
          suffix,
          List.of(names),
          caseSensitive,
          radix,
          maxScale,
          subcode);
    }

    /** In the order of {@link Schemas#GET_TYPE_INFO_SCHEMA}. */
    Object[] row() {
      boolean isNumber = radix != null;
      int sqlType = subcode == null ? code.getNumber() : XDBC_DATETIME.getNumber();
      return new Object[] {
        name,
        code.getNumber(),
        size,
        prefix,
        suffix,
        params.isEmpty() ? null : params,
        Nullable.NULLABILITY_NULLABLE.getNumber(),
        caseSensitive,
        Searchable.SEARCHABLE_FULL.getNumber(),
        isNumber ? Boolean.FALSE : null,
        false,
        isNumber ? Boolean.FALSE : null,
        name,
        maxScale == null ? null : Integer.valueOf(0),
        maxScale,
        sqlType,
        subcode,
        radix,
        null
      };
    }
  }
}
