package io.fulmar.catalog.decode;

import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.iceberg.avro.AvroSchemaUtil;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/** Timestamps of Avro, whose units are milliseconds, microseconds and nanoseconds. */
final class AvroTimestamps {
  private AvroTimestamps() {}

  /** Null if the file's type cannot become the wanted one. */
  static AvroColumn of(Type wanted, Schema file, FieldVector vector) {
    TimeStampVector to = (TimeStampVector) vector;
    boolean nanos = wanted.typeId() == Type.TypeID.TIMESTAMP_NANO;
    boolean utc =
        nanos
            ? ((Types.TimestampNanoType) wanted).shouldAdjustToUTC()
            : ((Types.TimestampType) wanted).shouldAdjustToUTC();
    LogicalType logical = file.getLogicalType();
    if (logical instanceof LogicalTypes.Date && !utc) {
      long unitsPerDay = nanos ? Instants.NANOS_PER_DAY : Instants.MICROS_PER_DAY;
      return (in, index) -> to.setSafe(index, Math.multiplyExact(in.readInt(), unitsPerDay));
    }

    return zoneFits(logical, file, utc) ? instants(logical, nanos, to) : null;
  }

  private static AvroColumn instants(LogicalType logical, boolean nanos, TimeStampVector to) {
    if (nanos) {
      return isNanos(logical) ? (in, index) -> to.setSafe(index, in.readLong()) : null;
    }
    if (isMillis(logical)) {
      return (in, index) ->
          to.setSafe(index, Math.multiplyExact(in.readLong(), Instants.MICROS_PER_MILLI));
    }
    return isMicros(logical) ? (in, index) -> to.setSafe(index, in.readLong()) : null;
  }

  private static boolean isMillis(LogicalType logical) {
    return logical instanceof LogicalTypes.TimestampMillis
        || logical instanceof LogicalTypes.LocalTimestampMillis;
  }

  private static boolean isMicros(LogicalType logical) {
    return logical instanceof LogicalTypes.TimestampMicros
        || logical instanceof LogicalTypes.LocalTimestampMicros;
  }

  private static boolean isNanos(LogicalType logical) {
    return logical instanceof LogicalTypes.TimestampNanos
        || logical instanceof LogicalTypes.LocalTimestampNanos;
  }

  /** Other writers than Iceberg's leave the zone out, so only a contradiction counts. */
  private static boolean zoneFits(LogicalType logical, Schema file, boolean utc) {
    if (logical == null || (utc && logical.getName().startsWith("local-"))) {
      return false;
    }
    return file.getObjectProp(AvroSchemaUtil.ADJUST_TO_UTC_PROP) == null
        || AvroSchemaUtil.isTimestamptz(file) == utc;
  }
}
