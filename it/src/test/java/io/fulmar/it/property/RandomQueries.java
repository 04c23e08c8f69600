package io.fulmar.it.property;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/** Random queries over one random table, some with the rows that the model knows to be right. */
final class RandomQueries {
  private final Random random;
  private final RandomTable table;
  private final String name;
  private final List<Types.NestedField> columns;
  private final List<Map<Integer, Object>> rows;

  /**
   * @param name the table's in SQL
   */
  RandomQueries(Random random, RandomTable table, String name) {
    this.random = random;
    this.table = table;
    this.name = name;
    this.columns = table.schema().columns();
    this.rows = table.rows();
  }

  /**
   * A query.
   *
   * @param rows what the model says; absent where only the backends are compared
   * @param ordered whether the order of rows counts
   */
  record Query(String sql, Optional<List<List<String>>> rows, boolean ordered) {}

  /** The whole table. */
  Query all() {
    return new Query("SELECT * FROM " + name, Optional.of(texts(columns, rows)), false);
  }

  /** Random ones. */
  List<Query> some() {
    List<Query> queries = new ArrayList<>();
    queries.add(
        new Query(
            "SELECT count(*) AS n FROM " + name,
            Optional.of(List.of(List.of(String.valueOf(rows.size())))),
            false));
    queries.add(filter());
    queries.add(filter());
    queries.add(group());
    queries.add(random.nextBoolean() ? top() : join());
    earlier().ifPresent(queries::add);
    if (table.formatVersion() >= 3 && random.nextBoolean()) {
      queries.add(
          new Query(
              "SELECT id, _row_id, _last_updated_sequence_number FROM " + name,
              Optional.empty(),
              false));
    }
    return queries;
  }

  private Query filter() {
    Types.NestedField field = one(primitives());
    List<Types.NestedField> shown = columns.stream().filter(c -> random.nextBoolean()).toList();
    List<Types.NestedField> selected = shown.isEmpty() ? List.of(field) : shown;
    Condition condition = condition(field);
    String select = selected.stream().map(c -> quoted(c.name())).collect(Collectors.joining(", "));
    List<Map<Integer, Object>> kept =
        rows.stream().filter(row -> condition.holds().test(row.get(field.fieldId()))).toList();
    return new Query(
        "SELECT %s FROM %s WHERE %s".formatted(select, name, condition.sql()),
        Optional.of(texts(selected, kept)),
        false);
  }

  /** A condition, and its truth for a value; NULL never holds but for IS NULL. */
  private record Condition(String sql, Predicate<Object> holds) {}

  private Condition condition(Types.NestedField field) {
    String column = quoted(field.name());
    List<Object> known =
        rows.stream().map(row -> row.get(field.fieldId())).filter(value -> value != null).toList();
    int kind = random.nextInt(6);
    if (kind == 0 || known.isEmpty() || SqlLiteral.of(field.type(), one(known)).isEmpty()) {
      return new Condition(column + " IS NULL", value -> value == null);
    }
    if (kind == 1) {
      return new Condition(column + " IS NOT NULL", value -> value != null);
    }
    Object literal = one(known);
    String text = SqlLiteral.of(field.type(), literal).orElseThrow();
    return switch (kind) {
      case 2 -> compared(column + " = " + text, literal, order -> order == 0);
      case 3 -> compared(column + " <> " + text, literal, order -> order != 0);
      case 4 -> compared(column + " < " + text, literal, order -> order < 0);
      default -> compared(column + " >= " + text, literal, order -> order >= 0);
    };
  }

  private static Condition compared(String sql, Object literal, Predicate<Integer> wanted) {
    return new Condition(
        sql, value -> value != null && wanted.test(SqlLiteral.compare(value, literal)));
  }

  private Query group() {
    Types.NestedField key = one(primitives());
    Types.NestedField value = one(primitives());
    String v = quoted(value.name());
    boolean summed =
        value.type().typeId() == Type.TypeID.INTEGER || value.type().typeId() == Type.TypeID.LONG;
    String sum = summed ? ", sum(" + v + ") AS s, avg(" + v + ") AS a" : "";
    return new Query(
        "SELECT %1$s AS g, count(*) AS n, count(%2$s) AS c, count(DISTINCT %2$s) AS d, min(%2$s) AS lo, max(%2$s) AS hi%3$s FROM %4$s GROUP BY %1$s"
            .formatted(quoted(key.name()), v, sum, name),
        Optional.empty(),
        false);
  }

  private Query top() {
    Types.NestedField key = one(primitives());
    boolean descending = random.nextBoolean();
    return new Query(
        "SELECT id, %1$s FROM %2$s ORDER BY %1$s %3$s, id LIMIT %4$d OFFSET %5$d"
            .formatted(
                quoted(key.name()),
                name,
                (descending ? "DESC" : "ASC") + (random.nextBoolean() ? " NULLS FIRST" : ""),
                1 + random.nextInt(10),
                random.nextInt(4)),
        Optional.empty(),
        true);
  }

  private Query join() {
    Types.NestedField key = one(primitives());
    String kind = one(List.of("JOIN", "LEFT JOIN", "FULL JOIN"));
    return new Query(
        "SELECT count(*) AS n, count(a.id) AS l, count(b.id) AS r, min(b.id) AS lo FROM %1$s a %2$s %1$s b ON a.%3$s = b.%3$s AND a.id < b.id"
            .formatted(name, kind, quoted(key.name())),
        Optional.empty(),
        false);
  }

  private Optional<Query> earlier() {
    if (table.versions().isEmpty()) {
      return Optional.empty();
    }
    RandomTable.Version version = one(table.versions());
    return Optional.of(
        new Query(
            "SELECT * FROM " + name + " FOR SYSTEM_VERSION AS OF " + version.snapshotId(),
            Optional.of(version.rows()),
            false));
  }

  private List<Types.NestedField> primitives() {
    return columns.stream().filter(column -> column.type().isPrimitiveType()).toList();
  }

  private static List<List<String>> texts(
      List<Types.NestedField> shown, List<Map<Integer, Object>> rows) {
    return rows.stream()
        .map(
            row ->
                shown.stream()
                    .map(field -> CellText.of(field.type(), row.get(field.fieldId())))
                    .toList())
        .toList();
  }

  private static String quoted(String column) {
    return "\"" + column.replace("\"", "\"\"") + "\"";
  }

  private <T> T one(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }
}
