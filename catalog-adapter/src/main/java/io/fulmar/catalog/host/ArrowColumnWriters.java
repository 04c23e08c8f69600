package io.fulmar.catalog.host;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
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
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.variants.Variant;

/**
 * Writers of Java values into vectors made from {@link ArrowFields}. Values come in Iceberg's
 * internal form (days, microseconds, UUID, ByteBuffer, StructLike) or in its generic form
 * (java.time, byte[], Record); numbers of other widths are taken if they fit.
 */
public final class ArrowColumnWriters {
  private ArrowColumnWriters() {}

  /**
   * Writers of a root's first columns, which stand for the schema's.
   *
   * @param root made from {@link ArrowFields#schema} of the same schema and form
   */
  public static List<ColumnWriter> of(Schema schema, ArrowForm form, VectorSchemaRoot root) {
    return IntStream.range(0, schema.columns().size())
        .mapToObj(i -> of(schema.columns().get(i).type(), form, root.getVector(i)))
        .toList();
  }

  /**
   * A writer for one vector.
   *
   * @throws ArithmeticException from the writer, for a number that does not fit
   * @throws ClassCastException from the writer, for a value of another type
   */
  public static ColumnWriter of(Type type, ArrowForm form, FieldVector vector) {
    requireNonNull(form, "form is null");
    return switch (type.typeId()) {
      case STRUCT -> struct(type.asStructType(), form, (StructVector) vector);
      case LIST -> list(type.asListType(), form, (ListVector) vector);
      case MAP -> map(type.asMapType(), form, (MapVector) vector);
      case VARIANT -> form == ArrowForm.SQL ? noVariants(vector) : variant((StructVector) vector);
      case UNKNOWN -> (index, value) -> vector.setNull(index);
      default -> orNull(vector, leaf(type, form, vector));
    };
  }

  private static ColumnWriter orNull(FieldVector vector, ColumnWriter writer) {
    return (index, value) -> {
      if (value == null) {
        vector.setNull(index);
      } else {
        writer.write(index, value);
      }
    };
  }

  private static ColumnWriter leaf(Type type, ArrowForm form, FieldVector vector) {
    return switch (type.typeId()) {
      case BOOLEAN -> {
        BitVector bits = (BitVector) vector;
        yield (index, value) -> bits.setSafe(index, (Boolean) value ? 1 : 0);
      }
      case INTEGER -> {
        IntVector ints = (IntVector) vector;
        yield (index, value) -> ints.setSafe(index, ArrowValues.toInt(value));
      }
      case LONG -> {
        BigIntVector longs = (BigIntVector) vector;
        yield (index, value) -> longs.setSafe(index, ArrowValues.toLong(value));
      }
      case FLOAT -> {
        Float4Vector floats = (Float4Vector) vector;
        yield (index, value) -> floats.setSafe(index, ((Number) value).floatValue());
      }
      case DOUBLE -> {
        Float8Vector doubles = (Float8Vector) vector;
        yield (index, value) -> doubles.setSafe(index, ((Number) value).doubleValue());
      }
      case DECIMAL -> {
        DecimalVector decimals = (DecimalVector) vector;
        yield (index, value) ->
            decimals.setSafe(index, ArrowValues.toDecimal(value, decimals.getScale()));
      }
      case STRING -> text((VarCharVector) vector);
      case UUID -> form == ArrowForm.SQL ? uuidText((VarCharVector) vector) : uuidBytes(vector);
      case FIXED -> form == ArrowForm.SQL ? binary((VarBinaryVector) vector) : fixed(vector);
      case BINARY, GEOMETRY, GEOGRAPHY -> binary((VarBinaryVector) vector);
      default -> temporal(type, vector);
    };
  }

  private static ColumnWriter temporal(Type type, FieldVector vector) {
    return switch (type.typeId()) {
      case DATE -> {
        DateDayVector days = (DateDayVector) vector;
        yield (index, value) -> days.setSafe(index, ArrowValues.toDays(value));
      }
      case TIME -> {
        TimeMicroVector micros = (TimeMicroVector) vector;
        yield (index, value) -> micros.setSafe(index, ArrowValues.toMicrosOfDay(value));
      }
      case TIMESTAMP -> {
        TimeStampVector micros = (TimeStampVector) vector;
        yield (index, value) -> micros.setSafe(index, ArrowValues.toMicros(value));
      }
      case TIMESTAMP_NANO -> {
        TimeStampVector nanos = (TimeStampVector) vector;
        yield (index, value) -> nanos.setSafe(index, ArrowValues.toNanos(value));
      }
      default -> throw new IllegalArgumentException("No writer for " + type);
    };
  }

  private static ColumnWriter text(VarCharVector vector) {
    return (index, value) -> vector.setSafe(index, ArrowValues.toUtf8(value));
  }

  private static ColumnWriter uuidText(VarCharVector vector) {
    return (index, value) ->
        vector.setSafe(index, ArrowValues.toUtf8(ArrowValues.toUuid(value).toString()));
  }

  private static ColumnWriter uuidBytes(FieldVector vector) {
    FixedSizeBinaryVector bytes = (FixedSizeBinaryVector) vector;
    return (index, value) -> bytes.setSafe(index, ArrowValues.toBytes(ArrowValues.toUuid(value)));
  }

  private static ColumnWriter fixed(FieldVector vector) {
    FixedSizeBinaryVector fixed = (FixedSizeBinaryVector) vector;
    return (index, value) -> {
      byte[] bytes = ArrowValues.toBytes(value);
      if (bytes.length != fixed.getByteWidth()) {
        throw new ArithmeticException(
            bytes.length + " bytes where fixed[" + fixed.getByteWidth() + "] is wanted");
      }
      fixed.setSafe(index, bytes);
    };
  }

  private static ColumnWriter binary(VarBinaryVector vector) {
    return (index, value) -> vector.setSafe(index, ArrowValues.toBytes(value));
  }

  private static ColumnWriter noVariants(FieldVector vector) {
    return orNull(
        vector,
        (index, value) -> {
          throw new FulmarException(
              ErrorCode.UNSUPPORTED_TABLE, "Cannot show the variants of " + vector.getName());
        });
  }

  private static ColumnWriter variant(StructVector vector) {
    ColumnWriter metadata = binary((VarBinaryVector) vector.getChildByOrdinal(0));
    ColumnWriter content = binary((VarBinaryVector) vector.getChildByOrdinal(1));
    return orNull(
        vector,
        (index, value) -> {
          Variant variant = (Variant) value;
          vector.setIndexDefined(index);
          metadata.write(index, ArrowValues.serialize(variant.metadata()));
          content.write(index, ArrowValues.serialize(variant.value()));
        });
  }

  private static ColumnWriter struct(Types.StructType type, ArrowForm form, StructVector vector) {
    List<ColumnWriter> children =
        IntStream.range(0, type.fields().size())
            .mapToObj(
                i ->
                    of(
                        type.fields().get(i).type(),
                        form,
                        (FieldVector) vector.getChildByOrdinal(i)))
            .toList();
    return orNull(
        vector,
        (index, value) -> {
          StructLike struct = (StructLike) value;
          vector.setIndexDefined(index);
          for (int i = 0; i < children.size(); i++) {
            children.get(i).write(index, struct.get(i, Object.class));
          }
        });
  }

  private static ColumnWriter list(Types.ListType type, ArrowForm form, ListVector vector) {
    ColumnWriter element = of(type.elementType(), form, vector.getDataVector());
    return orNull(
        vector,
        (index, value) -> {
          int next = vector.startNewValue(index);
          List<?> elements = (List<?>) value;
          for (Object each : elements) {
            element.write(next++, each);
          }
          vector.endValue(index, elements.size());
        });
  }

  private static ColumnWriter map(Types.MapType type, ArrowForm form, MapVector vector) {
    StructVector entries = (StructVector) vector.getDataVector();
    ColumnWriter key = of(type.keyType(), form, (FieldVector) entries.getChildByOrdinal(0));
    ColumnWriter content = of(type.valueType(), form, (FieldVector) entries.getChildByOrdinal(1));
    return orNull(
        vector,
        (index, value) -> {
          int next = vector.startNewValue(index);
          Map<?, ?> map = (Map<?, ?>) value;
          for (Map.Entry<?, ?> each : map.entrySet()) {
            entries.setIndexDefined(next);
            key.write(next, each.getKey());
            content.write(next++, each.getValue());
          }
          vector.endValue(index, map.size());
        });
  }
}
