package io.fulmar.planner.validate;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.host.HostTable;
import io.fulmar.catalog.registry.CatalogRegistry;
import io.fulmar.planner.PlanningContext;
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
import java.util.Set;
import java.util.TreeMap;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.calcite.linq4j.tree.Expression;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.plan.ViewExpanders;
import org.apache.calcite.prepare.RelOptTableImpl;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.util.SqlBasicVisitor;

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
    QueryResolver resolver = resolver(context);
    TableFinder finder = resolver.sessionFinder();
    return new CatalogNames(finder, resolver.tables(finder, positions, Set.of()), systemTables);
  }

  /**
   * Analyses the query of a statement that makes a view. It has no parameters.
   *
   * @throws io.fulmar.catalog.error.FulmarException with the part of the text at fault
   */
  public AnalyzedQuery analyzeView(SqlNode query, Positions positions, PlanningContext context) {
    UntypedParameters.refuseAll(query);
    QueryResolver resolver = resolver(context);
    QueryResolver.Resolved resolved =
        resolver.resolve(query, positions, resolver.sessionFinder(), Set.of());
    RelRoot root = resolved.convert();
    return result(root, resolved.names(root), List.of());
  }

  private QueryResolver resolver(PlanningContext context) {
    return new QueryResolver(parser, registry, systemTables, types, context);
  }

  private static SqlNode query(SqlNode statement) {
    return statement instanceof ExplainStatement explain ? explain.query() : statement;
  }

  private AnalyzedQuery analyze(
      SqlNode query, Set<SqlParserPos> untyped, String sql, PlanningContext context) {
    QueryResolver resolver = resolver(context);
    QueryResolver.Resolved resolved =
        resolver.resolve(query, new Positions(sql), resolver.sessionFinder(), untyped);
    RelRoot root = resolved.convert();
    return result(
        root, resolved.names(root), parameterTypes(resolved.validator(), resolved.validated()));
  }

  /** A query of all rows of a table that Java makes. */
  public AnalyzedQuery scan(HostTable table) {
    HostRelTable scanned = new HostRelTable(table, TableColumns.of(types, table.schema()));
    RelOptTable registered =
        RelOptTableImpl.create(
            null, scanned.getRowType(types), scanned.path(), scanned, (Expression) null);
    RelNode root =
        scanned.toRel(ViewExpanders.simpleContext(QueryResolver.newCluster(types)), registered);
    return new AnalyzedQuery(
        root,
        ArrowTypes.schema(root.getRowType().getFieldNames(), root.getRowType()),
        List.of(),
        new Schema(List.of()));
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
}
