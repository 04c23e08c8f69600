package io.fulmar.planner.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fulmar.catalog.host.BatchReader;
import io.fulmar.catalog.host.HostTable;
import io.fulmar.catalog.metadata.DeleteInventory;
import io.fulmar.planner.ParameterValues;
import io.fulmar.planner.PlanningContext;
import io.fulmar.planner.logical.PlanLimits;
import io.fulmar.planner.parse.Positions;
import io.fulmar.planner.testing.Planning;
import io.fulmar.planner.testing.TestCatalog;
import io.fulmar.planner.validate.QueryAnalyzer;
import io.fulmar.planner.validate.SystemTables;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.iceberg.Schema;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Conditions on tables that Java makes reach the table. */
class HostFiltersTest {
  private final List<Expression> seen = new ArrayList<>();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "SELECT * FROM system.t WHERE n = 1                        | ref(name=\"n\") == 1",
        "SELECT s FROM system.t WHERE n > 1 AND s LIKE 'a%'        | (ref(name=\"n\") > 1 and ref(name=\"s\") startsWith \"\"a\"\")",
        "SELECT n FROM system.t AS x WHERE x.p.a = 'x' AND p.b = 2 | (ref(name=\"p.a\") == \"x\" and ref(name=\"p.b\") == 2)",
        "SELECT count(*) FROM system.t WHERE abs(n) = 1            | true",
      })
  void reachTheTable(String sql, String filter) {
    SystemTables tables = new OneTable();
    QueryAnalyzer analyzer;
    try (TestCatalog catalog = new TestCatalog()) {
      analyzer = new QueryAnalyzer(catalog.registry(), tables);
      PlanningContext context = Planning.context("db");
      new QueryAssembler(PlanLimits.DEFAULT, table -> DeleteInventory.NONE)
          .assemble(
              analyzer.analyze(sql, context), ParameterValues.none(), context, new Positions(sql));
    }
    assertEquals(1, seen.size());
    assertEquals(filter, seen.get(0).toString());
  }

  private final class OneTable implements SystemTables {
    @Override
    public List<String> names() {
      return List.of("t");
    }

    @Override
    public Optional<HostTable> find(String name) {
      return Optional.of(new Recorder());
    }
  }

  private final class Recorder implements HostTable {
    @Override
    public String name() {
      return "system.t";
    }

    @Override
    public Schema schema() {
      return new Schema(
          Types.NestedField.optional(1, "n", Types.IntegerType.get()),
          Types.NestedField.optional(2, "s", Types.StringType.get()),
          Types.NestedField.optional(
              3,
              "p",
              Types.StructType.of(
                  Types.NestedField.optional(4, "a", Types.StringType.get()),
                  Types.NestedField.optional(5, "b", Types.LongType.get()))));
    }

    @Override
    public HostTable filtered(Expression filter) {
      seen.add(filter);
      return this;
    }

    @Override
    public BatchReader open(BufferAllocator allocator, int batchRows) {
      throw new UnsupportedOperationException("Nothing is read");
    }
  }
}
