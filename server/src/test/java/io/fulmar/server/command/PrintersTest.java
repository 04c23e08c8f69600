package io.fulmar.server.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.TimeStampMicroTZVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.Test;

class PrintersTest {
  @Test
  void table() {
    assertEquals(
        """
         n | name  | price | day        | at
        ---+-------+-------+------------+-----------------------
         7 | a,"b" |  1.50 | 1970-01-02 | 1970-01-01 00:00:00.5Z
        -1 | NULL  |  NULL | NULL       | NULL
        (2 rows)
        """,
        print(TablePrinter::new));
  }

  @Test
  void csv() {
    assertEquals(
        """
        n,name,price,day,at
        7,"a,""b""\",1.50,1970-01-02,1970-01-01 00:00:00.5Z
        -1,,,,
        """,
        print(CsvPrinter::new));
  }

  @Test
  void json() {
    assertEquals(
        """
        {"n":7,"name":"a,\\"b\\"","price":1.50,"day":"1970-01-02","at":"1970-01-01 00:00:00.5Z"}
        {"n":-1,"name":null,"price":null,"day":null,"at":null}
        """,
        print(JsonPrinter::new));
  }

  private static String print(Function<PrintWriter, ResultPrinter> factory) {
    StringWriter text = new StringWriter();
    try (BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot root = rows(allocator);
        PrintWriter out = new PrintWriter(text)) {
      ResultPrinter printer = factory.apply(out);
      printer.start(root.getSchema());
      printer.print(root);
      printer.end();
    }
    return text.toString();
  }

  private static VectorSchemaRoot rows(BufferAllocator allocator) {
    BigIntVector number = new BigIntVector("n", allocator);
    number.setSafe(0, 7);
    number.setSafe(1, -1);
    VarCharVector name = new VarCharVector("name", allocator);
    name.setSafe(0, "a,\"b\"".getBytes(StandardCharsets.UTF_8));
    DecimalVector price = new DecimalVector("price", allocator, 10, 2);
    price.setSafe(0, new BigDecimal("1.50"));
    DateDayVector day = new DateDayVector("day", allocator);
    day.setSafe(0, 1);
    TimeStampMicroTZVector at = new TimeStampMicroTZVector("at", allocator, "UTC");
    at.setSafe(0, 500_000L);
    VectorSchemaRoot root = VectorSchemaRoot.of(number, name, price, day, at);
    root.setRowCount(2);
    return root;
  }
}
