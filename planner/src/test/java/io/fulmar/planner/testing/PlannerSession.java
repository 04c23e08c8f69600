package io.fulmar.planner.testing;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.error.SourcePosition;
import io.fulmar.catalog.scan.ScanOptions;
import io.fulmar.engine.plan.QuerySettings;
import io.fulmar.planner.PlanningContext;
import io.fulmar.planner.PreparedStatement;
import io.fulmar.planner.SqlPlanner;
import io.fulmar.planner.validate.SystemTables;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.Assertions;

/** Prepares statements in one schema of the test catalog, and says what came of them as text. */
public final class PlannerSession {
  private static final long SPLIT_BYTES = 128L << 20;
  private static final String CARET = "^";

  private final SqlPlanner planner;
  private final PlanningContext context;

  private PlannerSession(SqlPlanner planner, PlanningContext context) {
    this.planner = requireNonNull(planner, "planner is null");
    this.context = requireNonNull(context, "context is null");
  }

  public static PlannerSession of(TestCatalog catalog, String schema) {
    return of(new SqlPlanner(catalog.registry(), SystemTables.none()), schema);
  }

  /** Statement time is 2023-11-14 22:13:20 UTC. */
  public static PlannerSession of(SqlPlanner planner, String schema) {
    QuerySettings settings =
        QuerySettings.newBuilder()
            .setNowMicros(1_700_000_000_000_000L)
            .setSessionZone("UTC")
            .build();
    return new PlannerSession(
        planner,
        new PlanningContext(
            "tester",
            Optional.of(TestCatalog.NAME),
            Optional.of(schema),
            new ScanOptions(SPLIT_BYTES, ScanOptions.Pruning.ENABLED),
            settings));
  }

  public PlanningContext context() {
    return context;
  }

  public PreparedStatement prepare(String sql) {
    return planner.prepare(sql, context);
  }

  public PreparedStatement.Query query(String sql) {
    return (PreparedStatement.Query) prepare(sql);
  }

  /** {@code name type, name type} of the result. */
  public String columns(String sql) {
    return describe(query(sql).resultSchema());
  }

  /** The types of the result, joined by commas. */
  public String types(String sql) {
    return query(sql).resultSchema().getFields().stream()
        .map(PlannerSession::type)
        .collect(Collectors.joining(", "));
  }

  /** The parameters as {@link #columns}. */
  public String parameters(String sql) {
    return describe(query(sql).parameterSchema());
  }

  private static String describe(Schema schema) {
    return schema.getFields().stream()
        .map(field -> field.getName() + " " + type(field))
        .collect(Collectors.joining(", "));
  }

  private static String type(Field field) {
    List<Field> children = field.getChildren();
    return children.isEmpty()
        ? field.getType().toString()
        : field.getType() + "<" + describe(new Schema(children)) + ">";
  }

  /**
   * The error of a statement whose blamed part stands between carets: {@code SELECT ^x^ FROM t}.
   * Fails if another part, or none, is blamed.
   */
  public FulmarException error(String marked) {
    int first = marked.indexOf(CARET);
    int last = marked.lastIndexOf(CARET);
    String sql = marked.replace(CARET, "");
    FulmarException error =
        Assertions.assertThrows(FulmarException.class, () -> prepare(sql), () -> sql);
    SourcePosition position =
        error
            .position()
            .orElseThrow(() -> new AssertionError("No position in " + error.getMessage()));
    String[] lines = sql.split("\n", -1);
    StringBuilder blamed = new StringBuilder(lines[position.line() - 1]);
    if (last > first) {
      Assertions.assertEquals(position.line(), position.endLine(), "one line is blamed");
      blamed.insert(Math.min(blamed.length(), position.endColumn()), CARET);
    }
    blamed.insert(position.column() - 1, CARET);
    lines[position.line() - 1] = blamed.toString();
    Assertions.assertEquals(marked, String.join("\n", lines), error.getMessage());
    return error;
  }
}
