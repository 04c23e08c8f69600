package io.fulmar.planner.validate;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.registry.CatalogRegistry;
import io.fulmar.planner.PlanningContext;
import io.fulmar.planner.dialect.DistinctOn;
import io.fulmar.planner.dialect.SessionValues;
import io.fulmar.planner.dialect.StatementTime;
import io.fulmar.planner.dialect.SyntaxRewriter;
import io.fulmar.planner.function.Convertlets;
import io.fulmar.planner.function.Functions;
import io.fulmar.planner.name.NameUses;
import io.fulmar.planner.name.StatementNames;
import io.fulmar.planner.name.TableFinder;
import io.fulmar.planner.parse.Positions;
import io.fulmar.planner.parse.StatementParser;
import io.fulmar.planner.type.FulmarTypeFactory;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import org.apache.calcite.config.CalciteConnectionConfigImpl;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.ViewExpanders;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgram;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql2rel.SqlToRelConverter;

/**
 * Resolves the queries of one statement: its own, and those of the views that it reads. All see the
 * same tables at the same snapshots. Not safe for use by several threads.
 */
final class QueryResolver {
  private final SystemTables systemTables;
  private final FulmarTypeFactory types;
  private final PlanningContext context;
  private final LoadedTables loaded = new LoadedTables();
  private final RelOptCluster cluster;
  private final ViewExpander views;
  private final CatalogRegistry registry;

  QueryResolver(
      StatementParser parser,
      CatalogRegistry registry,
      SystemTables systemTables,
      FulmarTypeFactory types,
      PlanningContext context) {
    this.registry = requireNonNull(registry, "registry is null");
    this.systemTables = requireNonNull(systemTables, "systemTables is null");
    this.types = requireNonNull(types, "types is null");
    this.context = requireNonNull(context, "context is null");
    this.cluster = newCluster(types);
    this.views = new ViewExpander(parser, registry, this, types);
  }

  /** What trees of one statement share. */
  static RelOptCluster newCluster(FulmarTypeFactory types) {
    return RelOptCluster.create(
        new HepPlanner(HepProgram.builder().build()), new RexBuilder(types));
  }

  /** Names as the session has them. */
  TableFinder sessionFinder() {
    return new TableFinder(registry, context.catalog(), context.schema());
  }

  /** The tables that a query may name. */
  StatementTables tables(TableFinder finder, Positions positions, Set<String> metadataColumns) {
    return new StatementTables(
        finder, systemTables, types, positions, metadataColumns, loaded, views);
  }

  /**
   * Resolves the names and types of a query.
   *
   * @param finder gives its tables
   * @param untyped places of parameters whose place tells no type
   * @throws RuntimeException as {@link UntypedParameters#found} says
   */
  Resolved resolve(
      SqlNode query, Positions positions, TableFinder finder, Set<SqlParserPos> untyped) {
    UntypedParameters.checkNotation(query, positions);
    DistinctOn.apply(query);
    List<SqlNode> items = ResultNames.selectItems(query);
    NameUses uses = NameUses.of(query);
    StatementNames names = new StatementNames(uses, positions);
    StatementCatalog catalog =
        new StatementCatalog(names, types, new CalciteConnectionConfigImpl(new Properties()));
    Set<String> metadataColumns = metadataColumns(query);
    StatementTables tables = tables(finder, positions, metadataColumns);
    StatementTime time = StatementTime.of(context.querySettings());
    SnapshotClause versions = new SnapshotClause(time, positions);
    ChangesCall changes = new ChangesCall(tables, versions, positions);
    new TableBinder(tables, catalog, names, versions, changes).bind(query);
    SqlNode rewritten =
        query.accept(new SyntaxRewriter(new SessionValues(context, time), positions));
    FulmarValidator validator = validator(catalog, !metadataColumns.isEmpty());
    Resolved resolved = new Resolved(catalog, uses, validator, positions, items);
    resolved.validate(UntypedParameters.asText(rewritten, untyped));
    return resolved;
  }

  private FulmarValidator validator(StatementCatalog catalog, boolean hasHiddenColumns) {
    return new FulmarValidator(
        Functions.operatorTable(),
        catalog,
        types,
        SqlValidator.Config.DEFAULT
            .withConformance(FulmarConformance.INSTANCE)
            .withTypeCoercionFactory(FulmarTypeCoercion::new)
            .withIdentifierExpansion(true),
        hasHiddenColumns);
  }

  private static Set<String> metadataColumns(SqlNode query) {
    Set<String> found = new HashSet<>();
    query.accept(
        new SqlBasicVisitor<Void>() {
          @Override
          public Void visit(SqlIdentifier identifier) {
            identifier.names.stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .filter(TableColumns.metadataNames()::contains)
                .forEach(found::add);
            return null;
          }
        });
    return Set.copyOf(found);
  }

  /** A query whose names and types are known. */
  final class Resolved {
    private final StatementCatalog catalog;
    private final NameUses uses;
    private final FulmarValidator validator;
    private final Positions positions;
    private final List<SqlNode> items;
    private Optional<SqlNode> validated = Optional.empty();

    private Resolved(
        StatementCatalog catalog,
        NameUses uses,
        FulmarValidator validator,
        Positions positions,
        List<SqlNode> items) {
      this.catalog = catalog;
      this.uses = uses;
      this.validator = validator;
      this.positions = positions;
      this.items = items;
    }

    private void validate(SqlNode query) {
      try {
        validated = Optional.of(validator.validate(query));
      } catch (RuntimeException e) {
        throw failure(e);
      }
    }

    FulmarValidator validator() {
      return validator;
    }

    SqlNode validated() {
      return validated.orElseThrow();
    }

    /** The names of the result's columns. */
    List<String> names(RelRoot root) {
      return ResultNames.of(root.validatedRowType, validated(), items, positions);
    }

    /** The query as a tree, anew for each call, of the statement's cluster. */
    RelRoot convert() {
      try {
        return converter().convertQuery(validated(), false, true);
      } catch (RuntimeException e) {
        throw failure(e);
      }
    }

    private RuntimeException failure(RuntimeException error) {
      Map<String, String> known = catalog.visibleNames();
      uses.definitions().forEach(name -> known.putIfAbsent(name, name));
      return UntypedParameters.found(
          error, new ValidationErrors(positions, known).translate(error));
    }

    private SqlToRelConverter converter() {
      return new SqlToRelConverter(
          ViewExpanders.simpleContext(cluster),
          validator,
          catalog,
          cluster,
          Convertlets.TABLE,
          SqlToRelConverter.config()
              .withExpand(false)
              .withTrimUnusedFields(false)
              .withInSubQueryThreshold(Integer.MAX_VALUE)
              .withRelBuilderConfigTransform(builder -> builder.withSimplify(false)));
    }
  }
}
