package io.fulmar.reference;

import io.fulmar.planner.backend.LogicalQuery;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgram;
import org.apache.calcite.plan.hep.HepProgramBuilder;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.rules.CoreRules;

/**
 * The least rewriting that joins need: conditions of filters over them become theirs, by Calcite's
 * own rule, so that a comma join is not a cross product. Nothing of the native path's optimizer.
 */
final class Preparation {
  private static final HepProgram PROGRAM =
      new HepProgramBuilder().addRuleInstance(CoreRules.FILTER_INTO_JOIN_DUMB).build();

  private Preparation() {}

  static LogicalQuery of(LogicalQuery query) {
    HepPlanner planner = new HepPlanner(PROGRAM);
    planner.setRoot(query.root());
    RelNode root = planner.findBestExp();
    return new LogicalQuery(
        root, query.rowType(), query.schema(), query.context(), query.positions());
  }
}
