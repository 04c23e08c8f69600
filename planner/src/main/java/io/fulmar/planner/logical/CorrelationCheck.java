package io.fulmar.planner.logical;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelVisitor;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.Uncollect;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;

/** Refuses what decorrelation left over: the plan language has no correlation. */
final class CorrelationCheck extends RelVisitor {
  private final RexShuttle expressions =
      new RexShuttle() {
        @Override
        public RexNode visitCorrelVariable(RexCorrelVariable variable) {
          throw unsupported();
        }

        @Override
        public RexNode visitSubQuery(RexSubQuery subQuery) {
          throw unsupported();
        }
      };

  private CorrelationCheck() {}

  /**
   * Checks a tree.
   *
   * @throws FulmarException UNSUPPORTED_SQL
   */
  static void check(RelNode root) {
    new CorrelationCheck().go(root);
  }

  @Override
  public void visit(RelNode node, int ordinal, RelNode parent) {
    if (node instanceof Correlate || node instanceof Uncollect) {
      throw unsupported();
    }
    node.accept(expressions);
    super.visit(node, ordinal, parent);
  }

  private static FulmarException unsupported() {
    return new FulmarException(
            ErrorCode.UNSUPPORTED_SQL,
            "This correlated sub-query or LATERAL join cannot be turned into joins")
        .withHint("Write the sub-query as a join, or correlate it by equality only.");
  }
}
