package io.fulmar.reference.compute;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.TimeMicroVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.complex.StructVector;

/** Reads the values of one vector in the forms of {@link Values}. */
interface VectorValues {
  /** The value of a row; NULL is null. */
  Object get(int row);

  static VectorValues of(FieldVector vector) {
    if (vector instanceof NullVector) {
      return row -> null;
    }
    VectorValues values = notNull(vector);
    return row -> vector.isNull(row) ? null : values.get(row);
  }

  private static VectorValues notNull(FieldVector vector) {
    if (vector instanceof MapVector maps) {
      return map(maps);
    } else if (vector instanceof ListVector lists) {
      return list(lists);
    } else if (vector instanceof StructVector structs) {
      return struct(structs);
    } else if (vector instanceof BaseIntVector integers) {
      return integers::getValueAsLong;
    } else if (vector instanceof VarCharVector texts) {
      return row -> new String(texts.get(row), StandardCharsets.UTF_8);
    } else if (vector instanceof VarBinaryVector bytes) {
      return row -> ByteBuffer.wrap(bytes.get(row));
    } else if (vector instanceof DecimalVector decimals) {
      return decimals::getObject;
    }
    return primitive(vector);
  }

  private static VectorValues primitive(FieldVector vector) {
    if (vector instanceof BitVector bits) {
      return row -> bits.get(row) != 0;
    } else if (vector instanceof Float8Vector doubles) {
      return doubles::get;
    } else if (vector instanceof Float4Vector floats) {
      return floats::get;
    } else if (vector instanceof DateDayVector days) {
      return row -> (long) days.get(row);
    } else if (vector instanceof TimeMicroVector micros) {
      return micros::get;
    } else if (vector instanceof TimeStampVector times) {
      return times::get;
    }
    throw new FulmarException(
        ErrorCode.INTERNAL_ERROR, "A table gives the Arrow type " + vector.getField());
  }

  private static VectorValues list(ListVector lists) {
    VectorValues element = of(lists.getDataVector());
    return row -> {
      List<Object> elements = new ArrayList<>();
      for (int i = lists.getElementStartIndex(row); i < lists.getElementEndIndex(row); i++) {
        elements.add(element.get(i));
      }
      return elements;
    };
  }

  private static VectorValues map(MapVector maps) {
    StructVector entries = (StructVector) maps.getDataVector();
    VectorValues key = of((FieldVector) entries.getChildByOrdinal(0));
    VectorValues content = of((FieldVector) entries.getChildByOrdinal(1));
    return row -> {
      Map<Object, Object> values = new LinkedHashMap<>();
      for (int i = maps.getElementStartIndex(row); i < maps.getElementEndIndex(row); i++) {
        values.put(key.get(i), content.get(i));
      }
      return values;
    };
  }

  private static VectorValues struct(StructVector structs) {
    List<VectorValues> children = new ArrayList<>();
    for (FieldVector child : structs.getChildrenFromFields()) {
      children.add(of(child));
    }
    return row -> {
      List<Object> fields = new ArrayList<>();
      children.forEach(child -> fields.add(child.get(row)));
      return fields;
    };
  }
}
