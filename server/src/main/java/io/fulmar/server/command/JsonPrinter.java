package io.fulmar.server.command;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Schema;

/** One JSON object a line. */
final class JsonPrinter implements ResultPrinter {
  private final PrintWriter out;
  private final JsonGenerator json;

  JsonPrinter(PrintWriter out) {
    this.out = out;
    try {
      this.json =
          new JsonFactory()
              .createGenerator(out)
              .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
              .disable(JsonGenerator.Feature.FLUSH_PASSED_TO_STREAM)
              .disable(StreamWriteFeature.STRICT_DUPLICATE_DETECTION.mappedFeature());
      json.setRootValueSeparator(null);
    } catch (IOException e) {
      throw new UncheckedIOException("A writer never fails", e);
    }
  }

  @Override
  public void start(Schema schema) {}

  @Override
  public void print(VectorSchemaRoot batch) {
    try {
      for (int row = 0; row < batch.getRowCount(); row++) {
        printRow(batch, row);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot write", e);
    }
  }

  @Override
  public void end() {
    out.flush();
  }

  private void printRow(VectorSchemaRoot batch, int row) throws IOException {
    json.writeStartObject();
    for (FieldVector vector : batch.getFieldVectors()) {
      json.writeFieldName(vector.getName());
      if (vector.isNull(row)) {
        json.writeNull();
      } else {
        printValue(vector, row);
      }
    }
    json.writeEndObject();
    json.writeRaw('\n');
    json.flush();
  }

  private void printValue(FieldVector vector, int row) throws IOException {
    ArrowType type = vector.getField().getType();
    switch (type.getTypeID()) {
      case Bool -> json.writeBoolean((Boolean) vector.getObject(row));
      case Int -> json.writeNumber(((Number) vector.getObject(row)).longValue());
      case Decimal -> json.writeNumber((BigDecimal) vector.getObject(row));
      case FloatingPoint -> printFloat(((Number) vector.getObject(row)).doubleValue());
      case List, Struct, Map -> json.writeRawValue(String.valueOf(vector.getObject(row)));
      default -> json.writeString(CellText.of(vector, row));
    }
  }

  /** JSON has no NaN and no infinity. */
  private void printFloat(double value) throws IOException {
    if (Double.isFinite(value)) {
      json.writeNumber(value);
    } else {
      json.writeString(String.valueOf(value));
    }
  }
}
