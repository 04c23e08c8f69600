package io.fulmar.planner.transport;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.metadata.DeleteInventory;
import io.fulmar.catalog.metadata.TableSnapshot;
import io.fulmar.engine.plan.Field;
import io.fulmar.engine.plan.Plan;
import io.fulmar.engine.plan.PlanVersion;
import io.fulmar.engine.plan.Rel;
import io.fulmar.planner.ParameterValues;
import io.fulmar.planner.PlanningContext;
import io.fulmar.planner.QueryPlan;
import io.fulmar.planner.backend.LogicalQuery;
import io.fulmar.planner.deletes.DeleteRewriter;
import io.fulmar.planner.deletes.StructFields;
import io.fulmar.planner.explain.LogicalText;
import io.fulmar.planner.logical.LogicalPlanner;
import io.fulmar.planner.logical.PlanLimits;
import io.fulmar.planner.parse.Positions;
import io.fulmar.planner.type.PlanTypes;
import io.fulmar.planner.validate.AnalyzedQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;

/**
 * From an analysed query to all that executing it needs: normalise, rewrite deletes, optimise,
 * explain, encode. Call it on a thread with a large stack. Safe for use by several threads.
 */
public final class QueryAssembler {
  private final LogicalPlanner planner;
  private final DeleteRewriter deletes;

  /**
   * @param limits of one statement
   * @param inventory gives the live deletes of a snapshot, as {@code DeleteInventoryLoader::load}
   *     does
   */
  public QueryAssembler(PlanLimits limits, Function<TableSnapshot, DeleteInventory> inventory) {
    this.planner = new LogicalPlanner(limits);
    this.deletes = new DeleteRewriter(inventory);
  }

  /**
   * What all backends share: parameters bound, sub-queries and correlation gone.
   *
   * @param positions of the statement's text
   * @throws FulmarException UNSUPPORTED_SQL, INVALID_PARAMETER, STATEMENT_TOO_COMPLEX
   */
  public LogicalQuery logical(
      AnalyzedQuery query,
      ParameterValues parameters,
      PlanningContext context,
      Positions positions) {
    RelNode relational = planner.relational(query.root(), parameters.values());
    return new LogicalQuery(
        relational, query.root().getRowType(), query.resultSchema(), context, positions);
  }

  /** {@link #logical} and {@link #assemble(LogicalQuery)} in one. */
  public QueryPlan assemble(
      AnalyzedQuery query,
      ParameterValues parameters,
      PlanningContext context,
      Positions positions) {
    return assemble(logical(query, parameters, context, positions));
  }

  /**
   * Plans a query for the native engine.
   *
   * @throws FulmarException UNSUPPORTED_SQL, STATEMENT_TOO_COMPLEX, or what reading delete
   *     manifests gives
   */
  public QueryPlan assemble(LogicalQuery query) {
    RelNode relational = query.root();
    RelNode optimized = planner.optimize(deletes.rewrite(relational));
    RelNode pruned = planner.trim(StructFields.prune(optimized));
    checkWidth(pruned, query);
    String text = LogicalText.of(pruned);

    DeleteLowering lowering = new DeleteLowering();
    RelNode lowered = planner.windows(planner.trim(lowering.lower(pruned)));
    RexBuilder builder = lowered.getCluster().getRexBuilder();
    NodeIds nodes = new NodeIds(query.positions()::of);
    ExprEncoder expressions = new ExprEncoder(builder, nodes);
    ScanEncoder scans =
        new ScanEncoder(expressions, builder, query.context().scanOptions(), lowering);
    AggregateEncoder aggregates = new AggregateEncoder(expressions, nodes);
    RelEncoder relations =
        new RelEncoder(
            expressions,
            scans,
            new JoinEncoder(expressions),
            aggregates,
            new WindowEncoder(expressions, aggregates, nodes));
    Rel root = relations.encode(lowered);
    Plan plan =
        Plan.newBuilder()
            .setVersion(PlanVersion.PLAN_VERSION_CURRENT_VALUE)
            .setRoot(root)
            .addAllOutput(output(query))
            .setSettings(query.context().querySettings())
            .build();
    return new QueryPlan(
        plan, query.schema(), scans.tableScans(), scans.hostScans(), text, nodes.all());
  }

  /** The announced names, which may repeat, with the plan language's types. */
  private static List<Field> output(LogicalQuery query) {
    List<Field> fields = new ArrayList<>();
    List<RelDataTypeField> columns = query.rowType().getFieldList();
    for (int i = 0; i < columns.size(); i++) {
      String name = query.schema().getFields().get(i).getName();
      fields.add(PlanTypes.field(name, columns.get(i).getType()));
    }
    return fields;
  }

  private static void checkWidth(RelNode plan, LogicalQuery query) {
    int columns = plan.getRowType().getFieldCount();
    if (columns != query.schema().getFields().size()) {
      throw new FulmarException(
          ErrorCode.INTERNAL_ERROR,
          "The plan has " + columns + " columns, " + query.schema() + " was announced");
    }
  }
}
