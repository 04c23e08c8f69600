package io.fulmar.server.command;

import static java.util.Objects.requireNonNull;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;

/** RFC 4180: a header, then rows; NULL is nothing, an empty text is {@code ""}. */
final class CsvPrinter implements ResultPrinter {
  private final PrintWriter out;

  CsvPrinter(PrintWriter out) {
    this.out = requireNonNull(out, "out is null");
  }

  @Override
  public void start(Schema schema) {
    if (!schema.getFields().isEmpty()) {
      line(schema.getFields().stream().map(field -> quoted(field.getName())).toList());
    }
  }

  @Override
  public void print(VectorSchemaRoot batch) {
    for (int row = 0; row < batch.getRowCount(); row++) {
      List<String> cells = new ArrayList<>();
      for (FieldVector vector : batch.getFieldVectors()) {
        cells.add(vector.isNull(row) ? "" : quoted(CellText.of(vector, row)));
      }
      line(cells);
    }
  }

  @Override
  public void end() {}

  private void line(List<String> cells) {
    out.print(String.join(",", cells) + "\n");
  }

  private static String quoted(String text) {
    boolean plain = !text.isEmpty() && text.chars().noneMatch(c -> ",\"\r\n".indexOf(c) >= 0);
    return plain ? text : "\"" + text.replace("\"", "\"\"") + "\"";
  }
}
