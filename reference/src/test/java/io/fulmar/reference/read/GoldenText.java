package io.fulmar.reference.read;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.TimeMicroVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.complex.StructVector;

/** One text for each value, of the expected JSON and of what was read. */
final class GoldenText {
  private GoldenText() {}

  /** Of what was read. */
  static String of(FieldVector vector, int row) {
    if (vector.isNull(row)) {
      return "null";
    }
    if (vector instanceof MapVector maps) {
      StructVector entries = (StructVector) maps.getDataVector();
      List<String> texts = new ArrayList<>();
      for (int i = maps.getElementStartIndex(row); i < maps.getElementEndIndex(row); i++) {
        texts.add(
            of((FieldVector) entries.getChildByOrdinal(0), i)
                + "="
                + of((FieldVector) entries.getChildByOrdinal(1), i));
      }
      Collections.sort(texts);
      return texts.toString();
    } else if (vector instanceof ListVector lists) {
      List<String> texts = new ArrayList<>();
      for (int i = lists.getElementStartIndex(row); i < lists.getElementEndIndex(row); i++) {
        texts.add(of(lists.getDataVector(), i));
      }
      return texts.toString();
    } else if (vector instanceof StructVector structs) {
      List<String> texts = new ArrayList<>();
      structs.getChildrenFromFields().forEach(child -> texts.add(of(child, row)));
      return texts.toString();
    } else if (vector instanceof DateDayVector days) {
      return LocalDate.ofEpochDay(days.get(row)).toString();
    } else if (vector instanceof TimeMicroVector micros) {
      return LocalTime.ofNanoOfDay(micros.get(row) * 1_000).toString();
    } else if (vector instanceof TimeStampVector times) {
      long micros = times.get(row);
      return LocalDateTime.ofEpochSecond(
              Math.floorDiv(micros, 1_000_000),
              (int) Math.floorMod(micros, 1_000_000L) * 1_000,
              ZoneOffset.UTC)
          .toString();
    }
    Object value = vector.getObject(row);
    if (value instanceof byte[] bytes) {
      return "0x" + HexFormat.of().formatHex(bytes);
    }
    return value instanceof BigDecimal number ? number.toPlainString() : value.toString();
  }

  /** Of the expected value, by the vector that holds its like. */
  static String of(FieldVector vector, JsonNode value) {
    if (value.isNull()) {
      return "null";
    }
    List<String> texts = new ArrayList<>();
    if (vector instanceof MapVector maps) {
      StructVector entries = (StructVector) maps.getDataVector();
      for (JsonNode entry : value) {
        texts.add(
            of((FieldVector) entries.getChildByOrdinal(0), entry.get(0))
                + "="
                + of((FieldVector) entries.getChildByOrdinal(1), entry.get(1)));
      }
      Collections.sort(texts);
      return texts.toString();
    } else if (vector instanceof ListVector lists) {
      value.forEach(element -> texts.add(of(lists.getDataVector(), element)));
      return texts.toString();
    } else if (vector instanceof StructVector structs) {
      structs
          .getChildrenFromFields()
          .forEach(child -> texts.add(of(child, value.get(child.getName()))));
      return texts.toString();
    }
    return leaf(vector, value);
  }

  private static String leaf(FieldVector vector, JsonNode value) {
    String text = value.asText();
    return switch (vector.getMinorType()) {
      case FLOAT4 -> String.valueOf(Float.parseFloat(text));
      case FLOAT8 -> String.valueOf(Double.parseDouble(text));
      case TIMEMICRO -> LocalTime.parse(text).toString();
      case TIMESTAMPMICRO, TIMESTAMPMICROTZ ->
          LocalDateTime.parse(text.replace("Z", "")).toString();
      default -> text;
    };
  }
}
