package io.fulmar.planner.statement;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.host.HostTable;
import io.fulmar.catalog.registry.CatalogRegistry;
import io.fulmar.planner.Command;
import io.fulmar.planner.PlanningContext;
import io.fulmar.planner.PreparedStatement;
import io.fulmar.planner.parse.ExplainStatement;
import io.fulmar.planner.parse.Positions;
import io.fulmar.planner.parse.SchemaStatement;
import io.fulmar.planner.parse.ShowStatement;
import io.fulmar.planner.parse.UseStatement;
import io.fulmar.planner.parse.ViewStatement;
import io.fulmar.planner.validate.AnalyzedQuery;
import io.fulmar.planner.validate.QueryAnalyzer;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDescribeSchema;
import org.apache.calcite.sql.SqlDescribeTable;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSetOption;

/** Tells statements apart. Call it on a thread with a large stack. */
public final class StatementPreparer {
  private static final Schema EXPLAIN_SCHEMA =
      new Schema(List.of(Field.nullable("plan", ArrowType.Utf8.INSTANCE)));

  private final CatalogRegistry registry;
  private final QueryAnalyzer analyzer;
  private final QueryFactory queries;

  public StatementPreparer(CatalogRegistry registry, QueryAnalyzer analyzer, QueryFactory queries) {
    this.registry = requireNonNull(registry, "registry is null");
    this.analyzer = requireNonNull(analyzer, "analyzer is null");
    this.queries = requireNonNull(queries, "queries is null");
  }

  /**
   * Parses and validates one statement.
   *
   * @throws FulmarException with the part of the text at fault
   */
  public PreparedStatement prepare(String sql, PlanningContext context) {
    SqlNode statement = analyzer.parse(sql);
    if (statement.isA(SqlKind.QUERY)) {
      return query(QuerySource.of(sql), context);
    }
    if (statement instanceof ExplainStatement explain) {
      PreparedStatement.Query query = query(QuerySource.of(sql), context);
      return new PreparedStatement.Explain(query, detail(explain), EXPLAIN_SCHEMA);
    }
    Positions positions = new Positions(sql);
    Optional<HostTable> listing = listing(statement, context, positions);
    if (listing.isPresent()) {
      return query(new ListingSource(sql, listing.get()), context);
    }
    return command(statement, context, positions)
        .<PreparedStatement>map(PreparedStatement.Update::new)
        .orElseThrow(() -> unsupported(statement, positions));
  }

  private PreparedStatement.Query query(QuerySource source, PlanningContext context) {
    AnalyzedQuery analyzed = source.analyze(analyzer, context);
    return queries.create(source, analyzed.resultSchema(), analyzed.parameterSchema());
  }

  private static PreparedStatement.Explain.Detail detail(ExplainStatement explain) {
    return switch (explain.detail()) {
      case LOGICAL -> PreparedStatement.Explain.Detail.LOGICAL;
      case PHYSICAL -> PreparedStatement.Explain.Detail.PHYSICAL;
      case ALL -> PreparedStatement.Explain.Detail.ALL;
      case ANALYZE -> PreparedStatement.Explain.Detail.ANALYZE;
    };
  }

  private Optional<HostTable> listing(
      SqlNode statement, PlanningContext context, Positions positions) {
    Listings listings = new Listings(analyzer.names(context, positions), positions);
    if (statement instanceof ShowStatement show) {
      return Optional.of(listings.show(show));
    }
    if (statement instanceof SqlDescribeTable describe) {
      return Optional.of(listings.columns(describe.getTable(), Optional.empty()));
    }
    if (statement instanceof SqlDescribeSchema describe) {
      return Optional.of(listings.tables(Optional.of(describe.getSchema()), Optional.empty()));
    }
    return Optional.empty();
  }

  private Optional<Command> command(
      SqlNode statement, PlanningContext context, Positions positions) {
    SchemaCommands schemas =
        new SchemaCommands(registry, analyzer.names(context, positions), positions);
    if (statement instanceof UseStatement use) {
      return Optional.of(schemas.use(use));
    }
    if (statement instanceof SchemaStatement.Create create) {
      return Optional.of(schemas.create(create));
    }
    if (statement instanceof SchemaStatement.Drop drop) {
      return Optional.of(schemas.drop(drop));
    }
    if (statement instanceof ViewStatement.Create create) {
      return Optional.of(views(context, positions).create(create));
    }
    if (statement instanceof ViewStatement.Drop drop) {
      return Optional.of(views(context, positions).drop(drop));
    }
    if (statement instanceof SqlSetOption option) {
      return Optional.of(SettingCommands.of(option, positions));
    }
    if (statement.getKind() == SqlKind.PROCEDURE_CALL) {
      return Optional.of(ProcedureCalls.of(((SqlCall) statement).operand(0), positions));
    }
    return Optional.empty();
  }

  private ViewCommands views(PlanningContext context, Positions positions) {
    return new ViewCommands(analyzer, context, positions);
  }

  private static FulmarException unsupported(SqlNode statement, Positions positions) {
    String kind = statement.getKind().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    return new FulmarException(
            ErrorCode.UNSUPPORTED_SQL, "This release has no statement of the kind: " + kind)
        .at(positions.of(statement.getParserPosition()));
  }

  private record ListingSource(String text, HostTable table) implements QuerySource {
    @Override
    public AnalyzedQuery analyze(QueryAnalyzer analyzer, PlanningContext context) {
      return analyzer.scan(table);
    }
  }
}
