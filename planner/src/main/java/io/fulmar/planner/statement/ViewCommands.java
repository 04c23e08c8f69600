package io.fulmar.planner.statement;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.error.SourcePosition;
import io.fulmar.catalog.registry.LoadedView;
import io.fulmar.catalog.registry.ViewDefinition;
import io.fulmar.planner.Command;
import io.fulmar.planner.PlanningContext;
import io.fulmar.planner.name.TableFinder;
import io.fulmar.planner.parse.Positions;
import io.fulmar.planner.parse.ViewStatement;
import io.fulmar.planner.type.IcebergSchemas;
import io.fulmar.planner.validate.AnalyzedQuery;
import io.fulmar.planner.validate.CatalogNames;
import io.fulmar.planner.validate.QueryAnalyzer;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.iceberg.Schema;
import org.apache.iceberg.catalog.Namespace;

/**
 * CREATE VIEW and DROP VIEW. A view keeps its query as it is written, and the session's catalog and
 * schema for the names in it.
 */
final class ViewCommands {
  private final QueryAnalyzer analyzer;
  private final PlanningContext context;
  private final Positions positions;
  private final CatalogNames names;

  ViewCommands(QueryAnalyzer analyzer, PlanningContext context, Positions positions) {
    this.analyzer = requireNonNull(analyzer, "analyzer is null");
    this.context = requireNonNull(context, "context is null");
    this.positions = requireNonNull(positions, "positions is null");
    this.names = analyzer.names(context, positions);
  }

  Command.CreateView create(ViewStatement.Create statement) {
    TableFinder.NewName target =
        names.newName(statement.name()).orElseThrow(() -> noSchema(statement.name()));
    AnalyzedQuery query = analyzer.analyzeView(statement.query(), positions, context);
    List<String> columns = columns(statement, query);
    List<Optional<String>> comments =
        statement.columns().isEmpty()
            ? columns.stream().map(column -> Optional.<String>empty()).toList()
            : statement.columns().stream().map(ViewStatement.Column::comment).toList();
    Schema schema = IcebergSchemas.of(query.root().getRowType(), columns, comments);
    return new Command.CreateView(
        target.catalog().name(),
        target.identifier(),
        new ViewDefinition(
            positions.text(statement.text()),
            schema,
            context.catalog().orElse(target.catalog().name()),
            namespace(target),
            statement.comment()),
        mode(statement.mode()),
        position(statement.name()));
  }

  /** The session's schema, where it has one: names without a schema mean it. */
  private Namespace namespace(TableFinder.NewName target) {
    return context
        .schema()
        .map(schema -> Namespace.of(schema.split("\\.", -1)))
        .orElse(target.identifier().namespace());
  }

  private List<String> columns(ViewStatement.Create statement, AnalyzedQuery query) {
    List<String> given = query.resultSchema().getFields().stream().map(Field::getName).toList();
    List<String> named =
        statement.columns().isEmpty()
            ? given
            : statement.columns().stream().map(column -> column.name().getSimple()).toList();
    if (named.size() != given.size()) {
      throw new FulmarException(
              ErrorCode.INVALID_STATEMENT,
              "The view names %d columns, its query gives %d".formatted(named.size(), given.size()))
          .at(position(statement.name()));
    }
    Set<String> seen = new HashSet<>();
    for (String name : named) {
      if (!seen.add(name.toLowerCase(Locale.ROOT))) {
        throw new FulmarException(
                ErrorCode.INVALID_STATEMENT, "The view has two columns named " + name)
            .at(position(statement.name()))
            .withHint("Give the columns names: CREATE VIEW name (a, b) AS …");
      }
    }
    return named;
  }

  private static Command.IfViewExists mode(ViewStatement.Mode mode) {
    return switch (mode) {
      case FAIL -> Command.IfViewExists.FAIL;
      case SKIP -> Command.IfViewExists.SKIP;
      case REPLACE -> Command.IfViewExists.REPLACE;
    };
  }

  Command.DropView drop(ViewStatement.Drop statement) {
    SqlIdentifier name = statement.name();
    Command.IfExists absent =
        statement.skipsAbsent() ? Command.IfExists.SKIP : Command.IfExists.FAIL;
    Optional<LoadedView> found = names.view(name);
    if (found.isPresent()) {
      return new Command.DropView(
          found.get().catalog(), found.get().identifier(), absent, position(name));
    }
    if (!statement.skipsAbsent()) {
      throw new FulmarException(ErrorCode.UNKNOWN_TABLE, "No view \"" + name + "\" exists")
          .at(position(name));
    }
    TableFinder.NewName target = names.newName(name).orElseThrow(() -> noSchema(name));
    return new Command.DropView(
        target.catalog().name(), target.identifier(), absent, position(name));
  }

  private FulmarException noSchema(SqlIdentifier name) {
    return new FulmarException(
            ErrorCode.UNKNOWN_SCHEMA, "No schema for the view \"" + name + "\" is chosen")
        .at(position(name))
        .withHint("Write catalog.schema.view, or USE a schema.");
  }

  private SourcePosition position(SqlIdentifier name) {
    return positions.of(name.getParserPosition());
  }
}
