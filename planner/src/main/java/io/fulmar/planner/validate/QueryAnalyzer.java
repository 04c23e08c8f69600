package io.fulmar.planner.validate;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.host.HostTable;
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
import io.fulmar.planner.parse.ExplainStatement;
import io.fulmar.planner.parse.Positions;
import io.fulmar.planner.parse.StatementLimits;
import io.fulmar.planner.parse.StatementParser;
import io.fulmar.planner.type.ArrowTypes;
import io.fulmar.planner.type.FulmarTypeFactory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.calcite.config.CalciteConnectionConfigImpl;
import org.apache.calcite.linq4j.tree.Expression;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.plan.ViewExpanders;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgram;
import org.apache.calcite.prepare.RelOptTableImpl;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql2rel.SqlToRelConverter;

/**
 * Resolves the names and types of queries against the catalogs as they are now. Safe for use by
 * several threads; call it on a thread with a large stack.
 */
public final class QueryAnalyzer {
  private final CatalogRegistry registry;
  private final SystemTables systemTables;
  private final StatementParser parser;
  private final FulmarTypeFactory types = new FulmarTypeFactory();

  public QueryAnalyzer(CatalogRegistry registry, SystemTables systemTables) {
    this(registry, systemTables, StatementLimits.DEFAULT);
  }

  public QueryAnalyzer(
      CatalogRegistry registry, SystemTables systemTables, StatementLimits limits) {
    this.registry = requireNonNull(registry, "registry is null");
    this.systemTables = requireNonNull(systemTables, "systemTables is null");
    this.parser = new StatementParser(FulmarConformance.INSTANCE, limits);
  }

  /** Parses one statement. */
  public SqlNode parse(String sql) {
    return parser.parse(sql);
  }

  /**
   * Analyses the text of a query, or of an EXPLAIN of one.
   *
   * @throws io.fulmar.catalog.error.FulmarException with the part of the text at fault
   */
  public AnalyzedQuery analyze(String sql, PlanningContext context) {
    Set<SqlParserPos> untyped = new HashSet<>();
    while (true) {
      SqlNode query = query(parser.parse(sql));
      try {
        return analyze(query, untyped, sql, context);
      } catch (UntypedParameters.Found found) {
        if (!untyped.add(found.position())) {
          throw found.error();
        }
      }
    }
  }

  /** Names as the session sees them, for statements that are not queries. */
  public CatalogNames names(PlanningContext context, Positions positions) {
    TableFinder finder = new TableFinder(registry, context.catalog(), context.schema());
    StatementTables tables = new StatementTables(finder, systemTables, types, positions, Set.of());
    return new CatalogNames(finder, tables, systemTables);
  }

  private static SqlNode query(SqlNode statement) {
    return statement instanceof ExplainStatement explain ? explain.query() : statement;
  }

  private AnalyzedQuery analyze(
      SqlNode query, Set<SqlParserPos> untyped, String sql, PlanningContext context) {
    Positions positions = new Positions(sql);
    UntypedParameters.checkNotation(query, positions);
    DistinctOn.apply(query);
    List<SqlNode> items = ResultNames.selectItems(query);
    NameUses uses = NameUses.of(query);
    StatementNames names = new StatementNames(uses, positions);
    StatementCatalog catalog =
        new StatementCatalog(names, types, new CalciteConnectionConfigImpl(new Properties()));
    Set<String> metadataColumns = metadataColumns(query);
    StatementTables tables =
        new StatementTables(
            new TableFinder(registry, context.catalog(), context.schema()),
            systemTables,
            types,
            positions,
            metadataColumns);
    StatementTime time = StatementTime.of(context.querySettings());
    new TableBinder(tables, catalog, names, new SnapshotClause(time, positions)).bind(query);
    SqlNode rewritten =
        query.accept(new SyntaxRewriter(new SessionValues(context, time), positions));
    FulmarValidator validator = validator(catalog, !metadataColumns.isEmpty());
    try {
      SqlNode validated = validator.validate(UntypedParameters.asText(rewritten, untyped));
      RelRoot root = converter(validator, catalog).convertQuery(validated, false, true);
      return result(
          root,
          ResultNames.of(root.validatedRowType, validated, items, positions),
          parameterTypes(validator, validated));
    } catch (RuntimeException e) {
      Map<String, String> known = catalog.visibleNames();
      uses.definitions().forEach(name -> known.putIfAbsent(name, name));
      throw UntypedParameters.found(e, new ValidationErrors(positions, known).translate(e));
    }
  }

  /** A query of all rows of a table that Java makes. */
  public AnalyzedQuery scan(HostTable table) {
    HostRelTable scanned = new HostRelTable(table, TableColumns.of(types, table.schema()));
    RelOptTable registered =
        RelOptTableImpl.create(
            null, scanned.getRowType(types), scanned.path(), scanned, (Expression) null);
    RelNode root = scanned.toRel(ViewExpanders.simpleContext(cluster()), registered);
    return new AnalyzedQuery(
        root,
        ArrowTypes.schema(root.getRowType().getFieldNames(), root.getRowType()),
        List.of(),
        new Schema(List.of()));
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

  private SqlToRelConverter converter(FulmarValidator validator, StatementCatalog catalog) {
    RelOptCluster cluster = cluster();
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

  private RelOptCluster cluster() {
    RelOptCluster cluster =
        RelOptCluster.create(new HepPlanner(HepProgram.builder().build()), new RexBuilder(types));
    cluster.setMetadataQuerySupplier(PlanMetadata::new);
    return cluster;
  }

  private static AnalyzedQuery result(
      RelRoot root, List<String> names, List<RelDataType> parameters) {
    List<Field> fields = new ArrayList<>();
    for (int i = 0; i < parameters.size(); i++) {
      fields.add(ArrowTypes.parameter("$" + (i + 1), parameters.get(i)));
    }
    return new AnalyzedQuery(
        root.project(),
        ArrowTypes.schema(names, root.validatedRowType),
        parameters,
        new Schema(fields));
  }

  /** By number; a number that is left out has no type. */
  private List<RelDataType> parameterTypes(FulmarValidator validator, SqlNode validated) {
    TreeMap<Integer, RelDataType> byIndex = new TreeMap<>();
    validated.accept(
        new SqlBasicVisitor<Void>() {
          @Override
          public Void visit(SqlDynamicParam parameter) {
            byIndex.putIfAbsent(parameter.getIndex(), validator.getValidatedNodeType(parameter));
            return null;
          }
        });
    List<RelDataType> result = new ArrayList<>();
    int count = byIndex.isEmpty() ? 0 : byIndex.lastKey() + 1;
    for (int i = 0; i < count; i++) {
      result.add(byIndex.getOrDefault(i, types.createSqlType(SqlTypeName.NULL)));
    }
    return result;
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
    return found.stream().collect(Collectors.toUnmodifiableSet());
  }
}
