package io.fulmar.planner;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.metadata.DeleteInventoryLoader;
import io.fulmar.catalog.registry.CatalogRegistry;
import io.fulmar.planner.logical.PlanLimits;
import io.fulmar.planner.parse.StatementLimits;
import io.fulmar.planner.statement.StatementPreparer;
import io.fulmar.planner.transport.QueryAssembler;
import io.fulmar.planner.validate.QueryAnalyzer;
import io.fulmar.planner.validate.SystemTables;

/**
 * Prepares statements and plans queries. Safe for use by several threads: each statement is planned
 * on a thread of its own with a large stack, and ends with TIMEOUT after a limit.
 */
public final class SqlPlanner {
  private final StatementPreparer preparer;
  private final PlanningThreads threads;

  /**
   * @param systemTables the tables of the catalog {@code system}
   */
  public SqlPlanner(CatalogRegistry registry, SystemTables systemTables) {
    this(registry, systemTables, StatementLimits.DEFAULT, PlanLimits.DEFAULT);
  }

  public SqlPlanner(
      CatalogRegistry registry,
      SystemTables systemTables,
      StatementLimits statementLimits,
      PlanLimits planLimits) {
    requireNonNull(registry, "registry is null");
    this.threads = new PlanningThreads(statementLimits);
    QueryAnalyzer analyzer = new QueryAnalyzer(registry, systemTables, statementLimits);
    QueryAssembler assembler = new QueryAssembler(planLimits, new DeleteInventoryLoader()::load);
    this.preparer =
        new StatementPreparer(
            registry,
            analyzer,
            (sql, schema, parameters) ->
                new PlannedQuery(sql, schema, parameters, analyzer, assembler, threads));
  }

  /**
   * Parses and validates one statement.
   *
   * @throws io.fulmar.catalog.error.FulmarException with the part of the text at fault
   */
  public PreparedStatement prepare(String sql, PlanningContext context) {
    requireNonNull(sql, "sql is null");
    requireNonNull(context, "context is null");
    return threads.run(() -> preparer.prepare(sql, context));
  }
}
