package io.fulmar.planner.logical;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.time.Duration;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelVisitor;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;

/**
 * What one statement may cost the planner.
 *
 * @param relations relational operators, sub-queries included
 * @param expressions expression nodes, sub-queries included
 * @param time of the rule engine
 */
public record PlanLimits(int relations, int expressions, Duration time) {
  /** Far above what people and BI tools write. */
  public static final PlanLimits DEFAULT = new PlanLimits(4_000, 400_000, Duration.ofSeconds(60));

  /**
   * Counts the operators and expressions of a tree.
   *
   * @throws FulmarException STATEMENT_TOO_COMPLEX
   */
  public void check(RelNode root) {
    new Counter().go(root);
  }

  private static FulmarException tooComplex(String what, long limit) {
    return new FulmarException(
            ErrorCode.STATEMENT_TOO_COMPLEX,
            "The statement has more than " + limit + " " + what + " after name resolution")
        .withHint("Split the statement, or replace long lists by a join with VALUES.");
  }

  private final class Counter extends RelVisitor {
    private int seenRelations;
    private int seenExpressions;

    private final RexShuttle expressionCounter =
        new RexShuttle() {
          @Override
          public RexNode visitSubQuery(RexSubQuery subQuery) {
            go(subQuery.rel);
            return super.visitSubQuery(subQuery);
          }

          @Override
          public RexNode visitCall(RexCall call) {
            seenExpressions += 1 + call.operands.size();
            if (seenExpressions > expressions) {
              throw tooComplex("expression nodes", expressions);
            }
            return super.visitCall(call);
          }
        };

    @Override
    public void visit(RelNode node, int ordinal, RelNode parent) {
      seenRelations++;
      if (seenRelations > relations) {
        throw tooComplex("relational operators", relations);
      }
      node.accept(expressionCounter);
      super.visit(node, ordinal, parent);
    }
  }
}
