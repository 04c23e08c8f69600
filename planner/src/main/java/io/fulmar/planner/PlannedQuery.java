package io.fulmar.planner;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.planner.backend.BackendPlan;
import io.fulmar.planner.backend.ComputeBackend;
import io.fulmar.planner.backend.LogicalQuery;
import io.fulmar.planner.parse.Positions;
import io.fulmar.planner.statement.QuerySource;
import io.fulmar.planner.transport.QueryAssembler;
import io.fulmar.planner.validate.AnalyzedQuery;
import io.fulmar.planner.validate.QueryAnalyzer;
import org.apache.arrow.vector.types.pojo.Schema;

/** A prepared query: it keeps its text and analyses it anew for each execution. */
record PlannedQuery(
    QuerySource source,
    Schema resultSchema,
    Schema parameterSchema,
    QueryAnalyzer analyzer,
    QueryAssembler assembler,
    PlanningThreads threads)
    implements PreparedStatement.Query {
  PlannedQuery {
    requireNonNull(source, "source is null");
    requireNonNull(resultSchema, "resultSchema is null");
    requireNonNull(parameterSchema, "parameterSchema is null");
  }

  @Override
  public QueryPlan plan(ParameterValues parameters, PlanningContext context) {
    return threads.run(() -> assembler.assemble(logical(parameters, context)));
  }

  @Override
  public BackendPlan plan(
      ParameterValues parameters, PlanningContext context, ComputeBackend backend) {
    return threads.run(() -> backend.plan(logical(parameters, context)));
  }

  private LogicalQuery logical(ParameterValues parameters, PlanningContext context) {
    AnalyzedQuery analyzed = source.analyze(analyzer, context);
    if (!analyzed.resultSchema().equals(resultSchema)) {
      throw new FulmarException(
              ErrorCode.SCHEMA_CHANGED,
              "The result's columns changed since the statement was prepared: %s became %s"
                  .formatted(resultSchema, analyzed.resultSchema()))
          .withHint("Prepare the statement again.");
    }
    int expected = analyzed.parameterTypes().size();
    int bound = parameters.values().size();
    if (bound != expected) {
      throw new FulmarException(
          ErrorCode.INVALID_PARAMETER,
          "The statement has " + expected + " parameters, " + bound + " are bound");
    }
    return assembler.logical(analyzed, parameters, context, new Positions(source.text()));
  }
}
