package io.fulmar.reference.compute;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.DurationVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.IntervalYearVector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.SmallIntVector;
import org.apache.arrow.vector.TimeMicroVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.TinyIntVector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.complex.StructVector;

/** Writes values in the forms of {@link Values} into one vector. */
public interface ArrowOutput {
  /** Sets a row; null is NULL. */
  void set(int row, Object value);

  /** A writer for a vector of the announced schema. */
  static ArrowOutput of(FieldVector vector) {
    if (vector instanceof NullVector) {
      return (row, value) -> {};
    }
    ArrowOutput output = notNull(vector);
    return (row, value) -> {
      if (value == null) {
        vector.setNull(row);
      } else {
        output.set(row, value);
      }
    };
  }

  private static ArrowOutput notNull(FieldVector vector) {
    if (vector instanceof MapVector maps) {
      return map(maps);
    } else if (vector instanceof ListVector lists) {
      return list(lists);
    } else if (vector instanceof StructVector structs) {
      return struct(structs);
    } else if (vector instanceof VarCharVector texts) {
      return (row, value) -> texts.setSafe(row, ((String) value).getBytes(StandardCharsets.UTF_8));
    } else if (vector instanceof VarBinaryVector bytes) {
      return (row, value) -> bytes.setSafe(row, array((ByteBuffer) value));
    } else if (vector instanceof DecimalVector decimals) {
      return (row, value) ->
          decimals.setSafe(row, ((BigDecimal) value).setScale(decimals.getScale()));
    } else if (vector instanceof BitVector bits) {
      return (row, value) -> bits.setSafe(row, (Boolean) value ? 1 : 0);
    } else if (vector instanceof Float8Vector doubles) {
      return (row, value) -> doubles.setSafe(row, (Double) value);
    } else if (vector instanceof Float4Vector floats) {
      return (row, value) -> floats.setSafe(row, (Float) value);
    }
    return integral(vector);
  }

  private static ArrowOutput integral(FieldVector vector) {
    if (vector instanceof BigIntVector longs) {
      return (row, value) -> longs.setSafe(row, (Long) value);
    } else if (vector instanceof IntVector ints) {
      return (row, value) -> ints.setSafe(row, Math.toIntExact((Long) value));
    } else if (vector instanceof SmallIntVector shorts) {
      return (row, value) -> shorts.setSafe(row, Math.toIntExact((Long) value));
    } else if (vector instanceof TinyIntVector bytes) {
      return (row, value) -> bytes.setSafe(row, Math.toIntExact((Long) value));
    } else if (vector instanceof DateDayVector days) {
      return (row, value) -> days.setSafe(row, Math.toIntExact((Long) value));
    } else if (vector instanceof TimeMicroVector micros) {
      return (row, value) -> micros.setSafe(row, (Long) value);
    } else if (vector instanceof TimeStampVector times) {
      return (row, value) -> times.setSafe(row, (Long) value);
    } else if (vector instanceof IntervalYearVector months) {
      return (row, value) -> months.setSafe(row, Math.toIntExact((Long) value));
    } else if (vector instanceof DurationVector micros) {
      return (row, value) -> micros.setSafe(row, (Long) value);
    }
    throw new FulmarException(
        ErrorCode.INTERNAL_ERROR, "No way to write the Arrow type " + vector.getField());
  }

  private static byte[] array(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  private static ArrowOutput list(ListVector lists) {
    ArrowOutput element = of(lists.getDataVector());
    return (row, value) -> {
      int next = lists.startNewValue(row);
      for (Object each : (List<?>) value) {
        element.set(next++, each);
      }
      lists.endValue(row, ((List<?>) value).size());
    };
  }

  private static ArrowOutput map(MapVector maps) {
    StructVector entries = (StructVector) maps.getDataVector();
    ArrowOutput key = of((FieldVector) entries.getChildByOrdinal(0));
    ArrowOutput content = of((FieldVector) entries.getChildByOrdinal(1));
    return (row, value) -> {
      int next = maps.startNewValue(row);
      for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
        entries.setIndexDefined(next);
        key.set(next, entry.getKey());
        content.set(next++, entry.getValue());
      }
      maps.endValue(row, ((Map<?, ?>) value).size());
    };
  }

  private static ArrowOutput struct(StructVector structs) {
    List<ArrowOutput> children = new ArrayList<>();
    for (FieldVector child : structs.getChildrenFromFields()) {
      children.add(of(child));
    }
    return (row, value) -> {
      structs.setIndexDefined(row);
      for (int i = 0; i < children.size(); i++) {
        children.get(i).set(row, ((List<?>) value).get(i));
      }
    };
  }
}
