package io.fulmar.it.property;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.TimeMicroVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/** One text for each value, of the model and of a result: exact, dates and times as numbers. */
final class CellText {
  private static final String NULL = "NULL";
  private static final long MICROS = 1_000_000;
  private static final long NANOS = 1_000_000_000;

  private CellText() {}

  /** Of the model's value. */
  @SuppressWarnings("unchecked")
  static String of(Type type, Object value) {
    if (value == null) {
      return NULL;
    }
    return switch (type.typeId()) {
      case STRUCT -> {
        List<String> fields = new ArrayList<>();
        for (Types.NestedField field : type.asStructType().fields()) {
          fields.add(of(field.type(), ((Map<Integer, Object>) value).get(field.fieldId())));
        }
        yield "{" + String.join(", ", fields) + "}";
      }
      case LIST -> {
        List<String> elements = new ArrayList<>();
        ((List<?>) value).forEach(e -> elements.add(of(type.asListType().elementType(), e)));
        yield elements.toString();
      }
      case MAP -> {
        List<String> entries = new ArrayList<>();
        ((Map<?, ?>) value)
            .forEach((k, v) -> entries.add(text((String) k) + ":" + of(Types.LongType.get(), v)));
        yield sorted(entries);
      }
      case STRING -> text((String) value);
      case BINARY -> hex((ByteBuffer) value);
      case FIXED -> hex(ByteBuffer.wrap((byte[]) value));
      case UUID -> text(value.toString());
      case DECIMAL -> ((BigDecimal) value).toPlainString();
      case DATE -> String.valueOf(((LocalDate) value).toEpochDay());
      case TIME -> String.valueOf(((LocalTime) value).toNanoOfDay() / 1_000);
      case TIMESTAMP -> since(value, MICROS);
      case TIMESTAMP_NANO -> since(value, NANOS);
      default -> value.toString();
    };
  }

  private static String since(Object value, long units) {
    Instant instant =
        value instanceof LocalDateTime local
            ? local.toInstant(ZoneOffset.UTC)
            : ((OffsetDateTime) value).toInstant();
    return String.valueOf(instant.getEpochSecond() * units + instant.getNano() / (NANOS / units));
  }

  /** Of a result's value. */
  static String of(FieldVector vector, int row) {
    if (vector.isNull(row)) {
      return NULL;
    }
    if (vector instanceof MapVector maps) {
      return map(maps, row);
    } else if (vector instanceof ListVector lists) {
      return list(lists, row);
    } else if (vector instanceof StructVector structs) {
      List<String> fields = new ArrayList<>();
      structs.getChildrenFromFields().forEach(child -> fields.add(of(child, row)));
      return "{" + String.join(", ", fields) + "}";
    } else if (vector instanceof VarCharVector texts) {
      return text(new String(texts.get(row), StandardCharsets.UTF_8));
    } else if (vector instanceof VarBinaryVector bytes) {
      return hex(ByteBuffer.wrap(bytes.get(row)));
    } else if (vector instanceof DateDayVector days) {
      return String.valueOf(days.get(row));
    } else if (vector instanceof TimeMicroVector micros) {
      return String.valueOf(micros.get(row));
    } else if (vector instanceof TimeStampVector times) {
      return String.valueOf(times.get(row));
    }
    Object value = vector.getObject(row);
    return value instanceof BigDecimal number ? number.toPlainString() : value.toString();
  }

  private static String list(ListVector lists, int row) {
    List<String> elements = new ArrayList<>();
    for (int i = lists.getElementStartIndex(row); i < lists.getElementEndIndex(row); i++) {
      elements.add(of(lists.getDataVector(), i));
    }
    return elements.toString();
  }

  private static String map(MapVector maps, int row) {
    StructVector entries = (StructVector) maps.getDataVector();
    List<String> texts = new ArrayList<>();
    for (int i = maps.getElementStartIndex(row); i < maps.getElementEndIndex(row); i++) {
      texts.add(
          of((FieldVector) entries.getChildByOrdinal(0), i)
              + ":"
              + of((FieldVector) entries.getChildByOrdinal(1), i));
    }
    return sorted(texts);
  }

  private static String sorted(List<String> entries) {
    Collections.sort(entries);
    return "(" + String.join(", ", entries) + ")";
  }

  private static String text(String value) {
    return "'" + value + "'";
  }

  private static String hex(ByteBuffer bytes) {
    byte[] copy = new byte[bytes.remaining()];
    bytes.duplicate().get(copy);
    return "0x" + HexFormat.of().formatHex(copy);
  }
}
