package io.fulmar.planner.testing;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.metadata.DeleteInventoryLoader;
import io.fulmar.catalog.registry.CatalogRegistry;
import io.fulmar.catalog.scan.ScanOptions;
import io.fulmar.engine.plan.DeleteForm;
import io.fulmar.engine.plan.QuerySettings;
import io.fulmar.planner.ParameterValues;
import io.fulmar.planner.PlanningContext;
import io.fulmar.planner.QueryPlan;
import io.fulmar.planner.logical.PlanLimits;
import io.fulmar.planner.parse.Positions;
import io.fulmar.planner.transport.QueryAssembler;
import io.fulmar.planner.validate.AnalyzedQuery;
import io.fulmar.planner.validate.QueryAnalyzer;
import io.fulmar.planner.validate.SystemTables;
import java.util.Optional;

/** Plans statements as the server does, on the calling thread. */
public final class Planning {
  private static final long SPLIT_BYTES = 128L << 20;

  private final QueryAnalyzer analyzer;
  private final QueryAssembler assembler;
  private final String schema;

  /**
   * @param schema the session's schema in {@link TestCatalog#NAME}
   */
  public Planning(CatalogRegistry registry, String schema) {
    this(registry, schema, PlanLimits.DEFAULT);
  }

  public Planning(CatalogRegistry registry, String schema, PlanLimits limits) {
    this.analyzer = new QueryAnalyzer(registry, SystemTables.none());
    this.assembler = new QueryAssembler(limits, new DeleteInventoryLoader()::load);
    this.schema = requireNonNull(schema, "schema is null");
  }

  public QueryPlan plan(String sql, Object... parameters) {
    PlanningContext context = context(schema);
    AnalyzedQuery query = analyzer.analyze(sql, context);
    return assembler.assemble(query, ParameterValues.of(parameters), context, new Positions(sql));
  }

  /** A session in a schema of {@link TestCatalog#NAME}. */
  public static PlanningContext context(String schema) {
    QuerySettings settings =
        QuerySettings.newBuilder()
            .setThreads(2)
            .setMemoryLimitBytes(256L << 20)
            .setSpillLimitBytes(1L << 30)
            .setBatchRows(8192)
            .setDeleteForm(DeleteForm.DELETE_FORM_AUTO)
            .setPruning(true)
            .setQueryId("test")
            .setNowMicros(1_700_000_000_000_000L)
            .setSessionZone("UTC")
            .build();
    return new PlanningContext(
        "tester",
        Optional.of(TestCatalog.NAME),
        Optional.of(schema),
        new ScanOptions(SPLIT_BYTES, ScanOptions.Pruning.ENABLED),
        settings);
  }
}
