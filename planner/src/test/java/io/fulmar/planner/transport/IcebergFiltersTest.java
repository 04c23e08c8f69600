package io.fulmar.planner.transport;

import static org.apache.iceberg.types.Types.NestedField.optional;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fulmar.planner.QueryPlan;
import io.fulmar.planner.testing.Planning;
import io.fulmar.planner.testing.TestCatalog;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import org.apache.iceberg.PartitionKey;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.expressions.Evaluator;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.expressions.InclusiveMetricsEvaluator;
import org.apache.iceberg.expressions.Projections;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class IcebergFiltersTest {
  private static final int CONDITIONS = 600;
  private static final int FILES = 12;
  private static final List<Types.NestedField> FIELDS =
      List.of(
          optional(1, "i", Types.IntegerType.get()),
          optional(2, "l", Types.LongType.get()),
          optional(3, "f", Types.FloatType.get()),
          optional(4, "d", Types.DoubleType.get()),
          optional(5, "n", Types.DecimalType.of(9, 2)),
          optional(6, "dt", Types.DateType.get()),
          optional(7, "ts", Types.TimestampType.withoutZone()),
          optional(8, "tsn", Types.TimestampNanoType.withoutZone()),
          optional(9, "s", Types.StringType.get()),
          optional(10, "b", Types.BooleanType.get()),
          optional(12, "a", Types.IntegerType.get()));

  private static final Schema SCHEMA = schema();
  private static final List<PartitionSpec> SPECS = specs();

  private static TestCatalog catalog;
  private static Planning planning;

  @BeforeAll
  static void open() {
    catalog = new TestCatalog();
    catalog.create("db", "filters", SCHEMA.columns().toArray(Types.NestedField[]::new));
    planning = new Planning(catalog.registry(), "db");
  }

  @AfterAll
  static void close() {
    catalog.close();
  }

  private static Schema schema() {
    List<Types.NestedField> columns = new ArrayList<>(FIELDS.subList(0, FIELDS.size() - 1));
    columns.add(optional(11, "st", Types.StructType.of(FIELDS.get(FIELDS.size() - 1))));
    return new Schema(columns);
  }

  private static List<PartitionSpec> specs() {
    return List.of(
        PartitionSpec.builderFor(SCHEMA).identity("i").identity("b").build(),
        PartitionSpec.builderFor(SCHEMA).identity("f").identity("d").build(),
        PartitionSpec.builderFor(SCHEMA).identity("s").identity("n").build(),
        PartitionSpec.builderFor(SCHEMA).truncate("s", 1).truncate("n", 10).build(),
        PartitionSpec.builderFor(SCHEMA).bucket("l", 4).bucket("s", 3).build(),
        PartitionSpec.builderFor(SCHEMA).day("ts").month("dt").hour("tsn").build(),
        PartitionSpec.builderFor(SCHEMA).truncate("i", 3).year("ts").identity("st.a").build());
  }

  private static List<Predicates.Column> columns() {
    List<Predicates.Column> columns = new ArrayList<>();
    for (int i = 0; i < FIELDS.size(); i++) {
      String name = FIELDS.get(i).name();
      columns.add(
          new Predicates.Column(
              name.equals("a") ? "filters.st.a" : name, FIELDS.get(i).type(), i, values(i)));
    }
    return columns;
  }

  private static Function<Random, Object> values(int field) {
    Function<Random, Object> value =
        switch (FIELDS.get(field).type().typeId()) {
          case INTEGER -> random -> random.nextInt(9) - 4;
          case LONG ->
              random -> random.nextInt(5) == 0 ? random.nextLong() : (long) random.nextInt(5);
          case FLOAT -> random -> (float) number(random);
          case DOUBLE -> IcebergFiltersTest::number;
          case DECIMAL -> random -> BigDecimal.valueOf(random.nextInt(400) - 200, 2);
          case DATE -> random -> LocalDate.of(1969, 12, 20).plusDays(random.nextInt(30));
          case TIMESTAMP -> random -> time(random, 1_000);
          case TIMESTAMP_NANO -> random -> time(random, 1);
          case STRING -> random -> SqlValues.text(random, random.nextInt(4));
          default -> Random::nextBoolean;
        };
    return random -> random.nextInt(6) == 0 ? null : value.apply(random);
  }

  private static double number(Random random) {
    double[] numbers = {
      -2.5,
      -1,
      -0.0,
      0.0,
      0.25,
      1,
      2,
      Double.NaN,
      Double.POSITIVE_INFINITY,
      Double.NEGATIVE_INFINITY
    };
    return numbers[random.nextInt(numbers.length)];
  }

  private static LocalDateTime time(Random random, int nanos) {
    return LocalDateTime.of(1969, 12, 30, 0, 0)
        .plusHours(random.nextInt(80))
        .plusNanos((long) random.nextInt(3) * nanos);
  }

  @Test
  void neverSkipsARowForWhichTheConditionIsTrue() {
    Random random = new Random(7);
    Predicates predicates = new Predicates(random, columns());
    int skipped = 0;
    for (int i = 0; i < CONDITIONS; i++) {
      Predicates.Condition condition = predicates.next(random.nextInt(4));
      Expression filter = filter(condition.sql());
      for (int j = 0; j < FILES; j++) {
        List<List<Object>> rows = rows(random);
        skipped += check(condition, filter, rows) ? 0 : 1;
      }
    }
    assertTrue(skipped > CONDITIONS, "only " + skipped + " files were skipped");
  }

  private static Expression filter(String condition) {
    QueryPlan plan = planning.plan("SELECT 1 FROM filters WHERE " + condition);
    return plan.tableScans().isEmpty()
        ? Expressions.alwaysFalse()
        : plan.tableScans().get(0).request().filter();
  }

  private static List<List<Object>> rows(Random random) {
    List<Predicates.Column> columns = columns();
    List<List<Object>> rows = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      List<Object> row = new ArrayList<>();
      columns.forEach(column -> row.add(column.values().apply(random)));
      rows.add(row);
    }
    return rows;
  }

  /** Whether the file would be read. */
  private static boolean check(
      Predicates.Condition condition, Expression filter, List<List<Object>> rows) {
    boolean read =
        new InclusiveMetricsEvaluator(SCHEMA, filter).eval(FileMetrics.file(FIELDS, rows));
    for (List<Object> row : rows) {
      if (condition.answer().apply(row).equals(Optional.of(true))) {
        assertTrue(read, () -> condition.sql() + " skips " + row + " by " + filter);
        for (PartitionSpec spec : SPECS) {
          assertTrue(
              partitionMatches(spec, filter, row),
              () -> condition.sql() + " skips " + row + " by " + filter + " under " + spec);
        }
      }
    }
    return read;
  }

  private static boolean partitionMatches(PartitionSpec spec, Expression filter, List<Object> row) {
    PartitionKey key = new PartitionKey(spec, SCHEMA);
    key.partition(new Row(row));
    Expression projected = Projections.inclusive(spec, true).project(filter);
    return new Evaluator(spec.partitionType(), projected, true).eval(key);
  }

  /** The row in Iceberg's internal form: the last value stands in a struct. */
  private record Row(List<Object> values) implements StructLike {
    @Override
    public int size() {
      return FIELDS.size();
    }

    @Override
    public <T> T get(int position, Class<T> type) {
      Object value = FileMetrics.internal(values.get(position), FIELDS.get(position).type());
      return type.cast(position == FIELDS.size() - 1 ? new Nested(value) : value);
    }

    @Override
    public <T> void set(int position, T value) {
      throw new UnsupportedOperationException("Rows are read");
    }
  }

  private record Nested(Object value) implements StructLike {
    @Override
    public int size() {
      return 1;
    }

    @Override
    public <T> T get(int position, Class<T> type) {
      return type.cast(value);
    }

    @Override
    public <T> void set(int position, T newValue) {
      throw new UnsupportedOperationException("Rows are read");
    }
  }

  @Test
  void convertsWhatHasASoundForm() {
    assertEquals("ref(name=\"i\") == 3", filter("i = 3").toString());
    assertEquals("ref(name=\"i\") < 3", filter("3 > i").toString());
    assertEquals("ref(name=\"l\") >= 3", filter("NOT (l < 3)").toString());
    assertEquals("ref(name=\"n\") > 1.50", filter("n > 1.5").toString());
    assertEquals("ref(name=\"dt\") >= 8766", filter("dt >= DATE '1994-01-01'").toString());
    assertEquals(
        "ref(name=\"dt\") < 8856",
        filter("dt < DATE '1994-01-01' + INTERVAL '3' MONTH").toString());
    assertEquals("ref(name=\"dt\") >= 8766", filter("dt >= '1994-01-01'").toString());
    assertEquals(
        "ref(name=\"dt\") >= 8766", filter("dt >= TIMESTAMP '1994-01-01 00:00:00'").toString());
    assertEquals("ref(name=\"s\") startsWith \"\"ab\"\"", filter("s LIKE 'ab%c'").toString());
    assertEquals("ref(name=\"s\") == \"a%\"", filter("s LIKE 'a!%' ESCAPE '!'").toString());
    assertEquals("ref(name=\"i\") in (1, 2, 3)", filter("i IN (1, 2, 3)").toString());
    assertEquals("ref(name=\"b\") == false", filter("NOT b").toString());
    assertEquals("ref(name=\"st.a\") == 1", filter("filters.st.a = 1").toString());
    assertEquals("ref(name=\"i\") == 3", filter("i = CAST(3 AS BIGINT)").toString());
  }

  @Test
  void leavesOutWhatHasNone() {
    List<String> conditions =
        List.of(
            "s NOT LIKE 'a%'",
            "i + 1 > 3",
            "f <> 1.0E0",
            "filters.st.a IS NULL",
            "UPPER(s) = 'A'",
            "CASE WHEN i > 3 THEN 10 / i > 1 ELSE FALSE END",
            "i = l",
            "s ILIKE 'a%'");
    for (String condition : conditions) {
      assertEquals("true", filter(condition).toString(), condition);
    }
  }
}
