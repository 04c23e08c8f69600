package io.fulmar.planner.transport;

import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import org.apache.iceberg.types.Type;

/** Random conditions as SQL text, with SQL's own three-valued answer for a row. */
final class Predicates {
  /** TRUE, FALSE, or empty for UNKNOWN. */
  record Condition(String sql, Function<List<Object>, Optional<Boolean>> answer) {}

  /**
   * @param sql as the statement names it
   * @param type of the table's column
   */
  record Column(String sql, Type type, int ordinal, Function<Random, Object> values) {}

  private static final List<String> OPERATORS = List.of("=", "<>", "<", "<=", ">", ">=");

  private final Random random;
  private final List<Column> columns;

  Predicates(Random random, List<Column> columns) {
    this.random = random;
    this.columns = columns;
  }

  Condition next(int depth) {
    int kind = depth == 0 ? 0 : random.nextInt(6);
    return switch (kind) {
      case 1, 2 -> and(next(depth - 1), next(depth - 1));
      case 3, 4 -> or(next(depth - 1), next(depth - 1));
      case 5 -> wrapped(next(depth - 1));
      default -> leaf();
    };
  }

  private Condition wrapped(Condition inner) {
    return switch (random.nextInt(4)) {
      case 0 ->
          new Condition(
              "(" + inner.sql + ") IS TRUE",
              row -> Optional.of(inner.answer.apply(row).orElse(false)));
      case 1 ->
          new Condition(
              "(" + inner.sql + ") IS FALSE",
              row -> Optional.of(inner.answer.apply(row).map(truth -> !truth).orElse(false)));
      case 2 ->
          new Condition(
              "(" + inner.sql + ") IS NOT TRUE",
              row -> Optional.of(!inner.answer.apply(row).orElse(false)));
      default -> not(inner);
    };
  }

  private static Condition not(Condition inner) {
    return new Condition(
        "NOT (" + inner.sql + ")", row -> inner.answer.apply(row).map(truth -> !truth));
  }

  private static Condition and(Condition left, Condition right) {
    return new Condition(
        "(" + left.sql + " AND " + right.sql + ")",
        row -> junction(left.answer.apply(row), right.answer.apply(row), false));
  }

  private static Condition or(Condition left, Condition right) {
    return new Condition(
        "(" + left.sql + " OR " + right.sql + ")",
        row -> junction(left.answer.apply(row), right.answer.apply(row), true));
  }

  private static Optional<Boolean> junction(
      Optional<Boolean> left, Optional<Boolean> right, boolean dominant) {
    if (left.equals(Optional.of(dominant)) || right.equals(Optional.of(dominant))) {
      return Optional.of(dominant);
    }
    return left.isEmpty() || right.isEmpty() ? Optional.empty() : Optional.of(!dominant);
  }

  private Condition leaf() {
    Column column = columns.get(random.nextInt(columns.size()));
    if (column.type.typeId() == Type.TypeID.BOOLEAN && random.nextBoolean()) {
      return new Condition(
          column.sql, row -> Optional.ofNullable((Boolean) row.get(column.ordinal)));
    }
    return switch (random.nextInt(7)) {
      case 0 ->
          new Condition(
              column.sql + " IS NULL", row -> Optional.of(row.get(column.ordinal) == null));
      case 1 ->
          new Condition(
              column.sql + " IS NOT NULL", row -> Optional.of(row.get(column.ordinal) != null));
      case 2 -> list(column);
      case 3 -> column.type.typeId() == Type.TypeID.STRING ? like(column) : comparison(column);
      case 4 -> distinct(column);
      default -> comparison(column);
    };
  }

  private Condition comparison(Column column) {
    SqlValues.Text literal = SqlValues.literal(random, column);
    String operator = OPERATORS.get(random.nextInt(OPERATORS.size()));
    boolean flipped = random.nextBoolean();
    String sql =
        flipped
            ? literal.sql() + " " + operator + " " + column.sql
            : column.sql + " " + operator + " " + literal.sql();
    return new Condition(
        sql,
        row ->
            SqlValues.compare(row.get(column.ordinal), literal.value())
                .map(order -> holds(operator, flipped ? -order : order)));
  }

  private static boolean holds(String operator, int order) {
    return switch (operator) {
      case "=" -> order == 0;
      case "<>" -> order != 0;
      case "<" -> order < 0;
      case "<=" -> order <= 0;
      case ">" -> order > 0;
      default -> order >= 0;
    };
  }

  private Condition distinct(Column column) {
    SqlValues.Text literal = SqlValues.literal(random, column);
    return new Condition(
        column.sql + " IS NOT DISTINCT FROM " + literal.sql(),
        row ->
            Optional.of(
                SqlValues.compare(row.get(column.ordinal), literal.value())
                    .map(order -> order == 0)
                    .orElse(row.get(column.ordinal) == null && literal.value() == null)));
  }

  private Condition list(Column column) {
    SqlValues.Text first = SqlValues.literal(random, column);
    SqlValues.Text second = SqlValues.literal(random, column);
    boolean negated = random.nextBoolean();
    String sql =
        column.sql + (negated ? " NOT IN (" : " IN (") + first.sql() + ", " + second.sql() + ")";
    return new Condition(
        sql,
        row -> {
          Object value = row.get(column.ordinal);
          Optional<Boolean> found =
              junction(
                  SqlValues.compare(value, first.value()).map(order -> order == 0),
                  SqlValues.compare(value, second.value()).map(order -> order == 0),
                  true);
          return negated ? found.map(truth -> !truth) : found;
        });
  }

  private Condition like(Column column) {
    String prefix = SqlValues.text(random, random.nextInt(3));
    boolean wildcard = random.nextInt(4) > 0;
    boolean escaped = random.nextInt(4) == 0;
    String shown =
        escaped
            ? prefix.replace("!", "!!").replace("%", "!%").replace("_", "!_")
            : prefix.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_");
    String sql =
        column.sql
            + " LIKE "
            + SqlValues.quoted(shown + (wildcard ? "%" : ""))
            + (escaped ? " ESCAPE '!'" : "");
    return new Condition(
        sql,
        row ->
            Optional.ofNullable((String) row.get(column.ordinal))
                .map(text -> wildcard ? text.startsWith(prefix) : text.equals(prefix)));
  }
}
