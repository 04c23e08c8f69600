package io.fulmar.server.metadata;

import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.IntervalUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;

/** SQL's name, precision and scale of an Arrow type. */
record SqlTypeNames(String name, int precision, int scale) {
  private static final int UNBOUNDED = Integer.MAX_VALUE;

  static SqlTypeNames of(ArrowType type) {
    return switch (type.getTypeID()) {
      case Bool -> new SqlTypeNames("BOOLEAN", 1, 0);
      case Int -> ofInteger(((ArrowType.Int) type).getBitWidth());
      case FloatingPoint -> ofFloat(((ArrowType.FloatingPoint) type).getPrecision());
      case Decimal -> {
        ArrowType.Decimal decimal = (ArrowType.Decimal) type;
        yield new SqlTypeNames("DECIMAL", decimal.getPrecision(), decimal.getScale());
      }
      case Utf8, LargeUtf8, Utf8View -> new SqlTypeNames("VARCHAR", UNBOUNDED, 0);
      case Binary, LargeBinary, BinaryView -> new SqlTypeNames("VARBINARY", UNBOUNDED, 0);
      case FixedSizeBinary ->
          new SqlTypeNames("BINARY", ((ArrowType.FixedSizeBinary) type).getByteWidth(), 0);
      case Date -> new SqlTypeNames("DATE", 10, 0);
      case Time -> new SqlTypeNames("TIME", 15, 6);
      case Timestamp -> ofTimestamp((ArrowType.Timestamp) type);
      case Interval ->
          ((ArrowType.Interval) type).getUnit() == IntervalUnit.YEAR_MONTH
              ? new SqlTypeNames("INTERVAL YEAR TO MONTH", 9, 0)
              : new SqlTypeNames("INTERVAL DAY TO SECOND", 18, 6);
      case Duration -> new SqlTypeNames("INTERVAL DAY TO SECOND", 18, 6);
      case List, LargeList, FixedSizeList, ListView, LargeListView ->
          new SqlTypeNames("ARRAY", 0, 0);
      case Struct -> new SqlTypeNames("ROW", 0, 0);
      case Map -> new SqlTypeNames("MAP", 0, 0);
      case Null -> new SqlTypeNames("NULL", 0, 0);
      case Union, RunEndEncoded, NONE -> new SqlTypeNames("OTHER", 0, 0);
    };
  }

  private static SqlTypeNames ofInteger(int bits) {
    return switch (bits) {
      case 8 -> new SqlTypeNames("TINYINT", 3, 0);
      case 16 -> new SqlTypeNames("SMALLINT", 5, 0);
      case 32 -> new SqlTypeNames("INTEGER", 10, 0);
      default -> new SqlTypeNames("BIGINT", 19, 0);
    };
  }

  private static SqlTypeNames ofFloat(FloatingPointPrecision precision) {
    return precision == FloatingPointPrecision.DOUBLE
        ? new SqlTypeNames("DOUBLE", 15, 0)
        : new SqlTypeNames("REAL", 7, 0);
  }

  private static SqlTypeNames ofTimestamp(ArrowType.Timestamp type) {
    int scale =
        switch (type.getUnit()) {
          case SECOND -> 0;
          case MILLISECOND -> 3;
          case MICROSECOND -> 6;
          case NANOSECOND -> 9;
        };
    int point = scale == 0 ? 0 : 1;
    return type.getTimezone() == null
        ? new SqlTypeNames("TIMESTAMP", 19 + point + scale, scale)
        : new SqlTypeNames("TIMESTAMP WITH TIME ZONE", 25 + point + scale, scale);
  }
}
