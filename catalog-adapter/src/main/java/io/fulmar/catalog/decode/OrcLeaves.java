package io.fulmar.catalog.decode;

import java.util.Optional;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.TimeMicroVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.iceberg.orc.ORCSchemaUtil;
import org.apache.iceberg.orc.ORCSchemaUtil.LongType;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.orc.TypeDescription;
import org.apache.orc.TypeDescription.Category;
import org.apache.orc.storage.ql.exec.vector.BytesColumnVector;
import org.apache.orc.storage.ql.exec.vector.ColumnVector;
import org.apache.orc.storage.ql.exec.vector.DecimalColumnVector;
import org.apache.orc.storage.ql.exec.vector.DoubleColumnVector;
import org.apache.orc.storage.ql.exec.vector.LongColumnVector;
import org.apache.orc.storage.ql.exec.vector.TimestampColumnVector;

/** Columns of primitive types: which ORC type may become which Iceberg type (rule R34), and how. */
final class OrcLeaves {
  private static final String TIMESTAMP_UNIT = "iceberg.timestamp-unit";
  private static final String NANOS = "NANOS";
  private static final int LONG_DIGITS = 18;

  private final BatchBytes bytes;

  OrcLeaves(BatchBytes bytes) {
    this.bytes = bytes;
  }

  /** Empty if the file's type cannot become the wanted one. */
  Optional<OrcColumn> of(Type wanted, TypeDescription file, FieldVector to) {
    return accepts(wanted, file) ? Optional.of(column(wanted, file, to)) : Optional.empty();
  }

  private static boolean accepts(Type wanted, TypeDescription file) {
    Category category = file.getCategory();
    return switch (wanted.typeId()) {
      case BOOLEAN -> category == Category.BOOLEAN;
      case INTEGER -> isInt(category);
      case LONG -> isInt(category) || (category == Category.LONG && !holdsTime(file));
      case FLOAT -> category == Category.FLOAT;
      case DOUBLE -> category == Category.FLOAT || category == Category.DOUBLE;
      case DATE -> category == Category.DATE;
      case TIME -> category == Category.LONG && !holds(file, LongType.LONG);
      case TIMESTAMP -> acceptsMicros((Types.TimestampType) wanted, file);
      case TIMESTAMP_NANO ->
          acceptsTimestamp(((Types.TimestampNanoType) wanted).shouldAdjustToUTC(), category);
      case STRING ->
          category == Category.STRING || category == Category.VARCHAR || category == Category.CHAR;
      case UUID, FIXED, BINARY, GEOMETRY, GEOGRAPHY -> category == Category.BINARY;
      case DECIMAL ->
          category == Category.DECIMAL
              && file.getScale() == ((Types.DecimalType) wanted).scale()
              && file.getPrecision() <= ((Types.DecimalType) wanted).precision();
      default -> false;
    };
  }

  private static boolean isInt(Category category) {
    return category == Category.BYTE || category == Category.SHORT || category == Category.INT;
  }

  private static boolean holdsTime(TypeDescription file) {
    return holds(file, LongType.TIME);
  }

  private static boolean holds(TypeDescription file, LongType type) {
    String attribute = file.getAttributeValue(ORCSchemaUtil.ICEBERG_LONG_TYPE_ATTRIBUTE);
    return type.toString().equals(attribute);
  }

  private static boolean acceptsMicros(Types.TimestampType wanted, TypeDescription file) {
    return acceptsTimestamp(wanted.shouldAdjustToUTC(), file.getCategory())
        && !NANOS.equals(file.getAttributeValue(TIMESTAMP_UNIT));
  }

  private static boolean acceptsTimestamp(boolean utc, Category category) {
    return utc
        ? category == Category.TIMESTAMP_INSTANT
        : category == Category.TIMESTAMP || category == Category.DATE;
  }

  private OrcColumn column(Type wanted, TypeDescription file, FieldVector to) {
    return switch (wanted.typeId()) {
      case FLOAT, DOUBLE -> floating(to);
      case STRING, BINARY, GEOMETRY, GEOGRAPHY ->
          orNull(to, variable((BaseVariableWidthVector) to));
      case UUID, FIXED -> orNull(to, fixed((FixedSizeBinaryVector) to));
      case DECIMAL -> orNull(to, decimal((DecimalVector) to));
      case TIMESTAMP ->
          orNull(
              to,
              file.getCategory() == Category.DATE
                  ? dateAs((TimeStampVector) to, Instants.MICROS_PER_DAY)
                  : micros((TimeStampVector) to));
      case TIMESTAMP_NANO ->
          orNull(
              to,
              file.getCategory() == Category.DATE
                  ? dateAs((TimeStampVector) to, Instants.NANOS_PER_DAY)
                  : nanos((TimeStampVector) to));
      default -> orNull(to, integer(wanted, to));
    };
  }

  private static OrcColumn orNull(FieldVector to, OrcColumn value) {
    return (from, row, index) -> {
      int own = from.isRepeating ? 0 : row;
      if (from.noNulls || !from.isNull[own]) {
        value.copy(from, own, index);
      } else {
        to.setNull(index);
      }
    };
  }

  private static OrcColumn integer(Type wanted, FieldVector to) {
    return switch (wanted.typeId()) {
      case BOOLEAN -> {
        BitVector bits = (BitVector) to;
        yield (from, row, index) -> bits.setSafe(index, longAt(from, row) != 0 ? 1 : 0);
      }
      case INTEGER -> {
        IntVector ints = (IntVector) to;
        yield (from, row, index) -> ints.setSafe(index, Math.toIntExact(longAt(from, row)));
      }
      case LONG -> {
        BigIntVector longs = (BigIntVector) to;
        yield (from, row, index) -> longs.setSafe(index, longAt(from, row));
      }
      case DATE -> {
        DateDayVector days = (DateDayVector) to;
        yield (from, row, index) -> days.setSafe(index, Math.toIntExact(longAt(from, row)));
      }
      case TIME -> {
        TimeMicroVector micros = (TimeMicroVector) to;
        yield (from, row, index) -> micros.setSafe(index, longAt(from, row));
      }
      default -> throw new IllegalArgumentException("Not an integer: " + wanted);
    };
  }

  private static long longAt(ColumnVector from, int row) {
    return ((LongColumnVector) from).vector[row];
  }

  /** ORC's reader takes a batch of 0.0 and -0.0 for a repeated value, as it compares by ==. */
  private static OrcColumn floating(FieldVector to) {
    if (to instanceof Float4Vector floats) {
      return (from, row, index) -> {
        int own = from.isRepeating ? 0 : row;
        if (from.noNulls || !from.isNull[own]) {
          floats.setSafe(index, (float) doubleAt(from, own, row));
        } else {
          floats.setNull(index);
        }
      };
    }

    Float8Vector doubles = (Float8Vector) to;
    return (from, row, index) -> {
      int own = from.isRepeating ? 0 : row;
      if (from.noNulls || !from.isNull[own]) {
        doubles.setSafe(index, doubleAt(from, own, row));
      } else {
        doubles.setNull(index);
      }
    };
  }

  private static double doubleAt(ColumnVector from, int repeated, int row) {
    double[] values = ((DoubleColumnVector) from).vector;
    double value = values[repeated];
    return value == 0.0 && values[row] == 0.0 ? values[row] : value;
  }

  private OrcColumn variable(BaseVariableWidthVector to) {
    return (from, row, index) -> {
      BytesColumnVector values = (BytesColumnVector) from;
      to.setSafe(index, values.vector[row], values.start[row], values.length[row]);
      bytes.add(values.length[row]);
    };
  }

  private static OrcColumn fixed(FixedSizeBinaryVector to) {
    int width = to.getByteWidth();
    byte[] value = new byte[width];
    return (from, row, index) -> {
      BytesColumnVector values = (BytesColumnVector) from;
      if (values.length[row] != width) {
        throw new ArithmeticException(
            values.length[row] + " bytes in " + to.getName() + " where " + width + " are wanted");
      }
      System.arraycopy(values.vector[row], values.start[row], value, 0, width);
      to.setSafe(index, value);
    };
  }

  private static OrcColumn decimal(DecimalVector to) {
    int scale = to.getScale();
    if (to.getPrecision() <= LONG_DIGITS) {
      return (from, row, index) ->
          to.setSafe(index, ((DecimalColumnVector) from).vector[row].serialize64(scale));
    }
    return (from, row, index) ->
        to.setSafe(
            index,
            ((DecimalColumnVector) from)
                .vector[row]
                .getHiveDecimal()
                .bigDecimalValue()
                .setScale(scale));
  }

  private static OrcColumn dateAs(TimeStampVector to, long unitsPerDay) {
    return (from, row, index) ->
        to.setSafe(index, Math.multiplyExact(longAt(from, row), unitsPerDay));
  }

  private static OrcColumn micros(TimeStampVector to) {
    return (from, row, index) -> {
      TimestampColumnVector values = (TimestampColumnVector) from;
      to.setSafe(index, Instants.micros(values.time[row], values.nanos[row]));
    };
  }

  private static OrcColumn nanos(TimeStampVector to) {
    return (from, row, index) -> {
      TimestampColumnVector values = (TimestampColumnVector) from;
      to.setSafe(index, Instants.nanos(values.time[row], values.nanos[row]));
    };
  }
}
