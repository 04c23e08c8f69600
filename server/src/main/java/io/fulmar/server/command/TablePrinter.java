package io.fulmar.server.command;

import static java.util.Objects.requireNonNull;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** Columns of equal width, as the first thousand rows need them; numbers to the right. */
final class TablePrinter implements ResultPrinter {
  private static final int SAMPLE_ROWS = 1000;
  private static final int MAX_WIDTH = 80;
  private static final String NULL = "NULL";

  private final PrintWriter out;
  private final List<List<String>> sample = new ArrayList<>();
  private Schema schema = new Schema(List.of());
  private int[] widths = new int[0];
  private boolean headed;
  private long rows;

  TablePrinter(PrintWriter out) {
    this.out = requireNonNull(out, "out is null");
  }

  @Override
  public void start(Schema announced) {
    schema = announced;
    widths = announced.getFields().stream().mapToInt(field -> width(field.getName())).toArray();
  }

  @Override
  public void print(VectorSchemaRoot batch) {
    for (int row = 0; row < batch.getRowCount(); row++) {
      List<String> cells = cells(batch, row);
      rows++;
      if (headed) {
        printLine(cells);
      } else {
        sample(cells);
      }
    }
  }

  @Override
  public void end() {
    printSample();
    if (!schema.getFields().isEmpty()) {
      out.print("(" + rows + (rows == 1 ? " row)\n" : " rows)\n"));
    }
    out.flush();
  }

  private void sample(List<String> cells) {
    sample.add(cells);
    for (int i = 0; i < cells.size(); i++) {
      widths[i] = Math.max(widths[i], width(cells.get(i)));
    }
    if (sample.size() == SAMPLE_ROWS) {
      printSample();
    }
  }

  private void printSample() {
    if (headed || schema.getFields().isEmpty()) {
      return;
    }

    headed = true;
    printLine(schema.getFields().stream().map(Field::getName).toList());
    StringBuilder rule = new StringBuilder();
    for (int width : widths) {
      rule.append(rule.isEmpty() ? "" : "-+-").append("-".repeat(width));
    }
    out.print(rule + "\n");
    sample.forEach(this::printLine);
    sample.clear();
  }

  private void printLine(List<String> cells) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < cells.size(); i++) {
      String cell = cells.get(i);
      String padding = " ".repeat(Math.max(0, widths[i] - width(cell)));
      boolean toRight = isNumber(schema.getFields().get(i).getType());
      line.append(i == 0 ? "" : " | ").append(toRight ? padding + cell : cell + padding);
    }
    out.print(line.toString().stripTrailing() + "\n");
  }

  private static List<String> cells(VectorSchemaRoot batch, int row) {
    List<String> cells = new ArrayList<>();
    for (FieldVector vector : batch.getFieldVectors()) {
      String text = vector.isNull(row) ? NULL : oneLine(CellText.of(vector, row));
      cells.add(batch.getFieldVectors().size() == 1 ? text : shorten(text));
    }
    return cells;
  }

  private static String oneLine(String text) {
    return text.replaceAll("\\p{Cntrl}", " ");
  }

  /** A table of one column, such as a plan, is shown in full. */
  private static String shorten(String line) {
    return width(line) <= MAX_WIDTH
        ? line
        : line.substring(0, line.offsetByCodePoints(0, MAX_WIDTH - 1)) + "…";
  }

  private static int width(String text) {
    return text.codePointCount(0, text.length());
  }

  private static boolean isNumber(ArrowType type) {
    return switch (type.getTypeID()) {
      case Int, FloatingPoint, Decimal -> true;
      default -> false;
    };
  }
}
