package io.fulmar.planner.validate;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.registry.CatalogRegistry;
import io.fulmar.catalog.registry.LoadedView;
import io.fulmar.planner.dialect.ViewDialect;
import io.fulmar.planner.name.TableFinder;
import io.fulmar.planner.parse.Positions;
import io.fulmar.planner.parse.StatementParser;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;

/**
 * Views of one statement (rule R86): the text of this server's dialect, else the first that can be
 * read; names without a schema by the view's own defaults, not by the session's. Every error names
 * the view.
 */
final class ViewExpander {
  private static final int MAX_DEPTH = 32;

  private final StatementParser parser;
  private final CatalogRegistry registry;
  private final QueryResolver resolver;
  private final RelDataTypeFactory types;
  private final Deque<String> open = new ArrayDeque<>();

  ViewExpander(
      StatementParser parser,
      CatalogRegistry registry,
      QueryResolver resolver,
      RelDataTypeFactory types) {
    this.parser = requireNonNull(parser, "parser is null");
    this.registry = requireNonNull(registry, "registry is null");
    this.resolver = requireNonNull(resolver, "resolver is null");
    this.types = requireNonNull(types, "types is null");
  }

  /**
   * The view as a table of the statement.
   *
   * @throws FulmarException naming the view, without a place in the statement
   */
  StatementTable expand(LoadedView view) {
    String name = view.displayName();
    if (open.contains(name)) {
      String path =
          Stream.concat(open.stream(), Stream.of(name)).collect(Collectors.joining(" → "));
      throw new FulmarException(
          ErrorCode.INVALID_STATEMENT, "The view " + name + " reads itself: " + path);
    }
    if (open.size() >= MAX_DEPTH) {
      throw new FulmarException(
          ErrorCode.STATEMENT_TOO_COMPLEX,
          "Views are nested more than " + MAX_DEPTH + " deep at " + name);
    }
    open.addLast(name);
    try {
      return readable(view);
    } finally {
      open.removeLast();
    }
  }

  private StatementTable readable(LoadedView view) {
    List<LoadedView.Text> texts =
        view.texts().stream()
            .sorted(Comparator.comparing((LoadedView.Text text) -> ViewDialect.of(text.dialect())))
            .toList();
    Optional<FulmarException> first = Optional.empty();
    for (LoadedView.Text text : texts) {
      try {
        return read(view, text);
      } catch (FulmarException e) {
        first = first.or(() -> Optional.of(blamed(view, text, e)));
        if (ViewDialect.of(text.dialect()) == ViewDialect.OWN) {
          break;
        }
      }
    }
    throw first.orElseGet(
        () ->
            new FulmarException(
                ErrorCode.INVALID_METADATA,
                "The view " + view.displayName() + " has no query in SQL"));
  }

  private StatementTable read(LoadedView view, LoadedView.Text text) {
    ViewDialect dialect = ViewDialect.of(text.dialect());
    SqlNode query = dialect.parse(parser, text.sql());
    if (!query.isA(SqlKind.QUERY)) {
      throw new FulmarException(ErrorCode.UNSUPPORTED_SQL, "Its text is not a query");
    }
    UntypedParameters.refuseAll(query);
    QueryResolver.Resolved resolved =
        resolver.resolve(query, new Positions(text.sql()), finder(view), Set.of());
    return ViewRelTable.of(view, resolved, dialect, types);
  }

  private TableFinder finder(LoadedView view) {
    if (registry.find(view.defaultCatalog()).isEmpty()) {
      throw new FulmarException(
          ErrorCode.UNKNOWN_CATALOG,
          "Its names are of the catalog " + view.defaultCatalog() + ", which is not configured");
    }
    String schema = String.join(".", view.defaultNamespace().levels());
    return new TableFinder(
        registry,
        Optional.of(view.defaultCatalog()),
        schema.isEmpty() ? Optional.empty() : Optional.of(schema));
  }

  /** The place of the error is one in the view's text, which the client has not written. */
  private static FulmarException blamed(
      LoadedView view, LoadedView.Text text, FulmarException error) {
    boolean foreign = ViewDialect.of(text.dialect()) != ViewDialect.OWN;
    boolean beyond = foreign && error.code() == ErrorCode.SYNTAX_ERROR;
    String where = error.position().map(position -> " in `" + position.text() + "`").orElse("");
    FulmarException blamed =
        new FulmarException(
            beyond ? ErrorCode.UNSUPPORTED_SQL : error.code(),
            "The view %s (dialect %s) cannot be read: %s%s"
                .formatted(view.displayName(), text.dialect(), error.getMessage(), where),
            error);
    return error.hint().map(blamed::withHint).orElse(blamed);
  }
}
