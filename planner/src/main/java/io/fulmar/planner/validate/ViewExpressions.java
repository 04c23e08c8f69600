package io.fulmar.planner.validate;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.planner.dialect.ViewDialect;
import java.util.function.Function;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** Expressions of a view's query. */
final class ViewExpressions {
  private ViewExpressions() {}

  /**
   * Refuses what another dialect computes otherwise.
   *
   * @throws FulmarException UNSUPPORTED_SQL
   */
  static void check(RelNode query, ViewDialect dialect) {
    query.accept(new Tree(call -> checked(call, dialect)));
  }

  private static RexNode checked(RexCall call, ViewDialect dialect) {
    boolean division =
        call.getKind() == SqlKind.DIVIDE
            && call.operands.stream().allMatch(each -> SqlTypeUtil.isIntType(each.getType()));
    if (division && !dialect.dividesIntegers()) {
      throw differs("divides integers to a fraction; here the result is an integer");
    }
    boolean index =
        call.getKind() == SqlKind.ITEM
            && call.operands.get(0).getType().getSqlTypeName() == SqlTypeName.ARRAY;
    if (index && !dialect.indexesFromOne()) {
      throw differs("counts array elements from 0; here the first is number 1");
    }
    return call;
  }

  private static FulmarException differs(String how) {
    return new FulmarException(ErrorCode.UNSUPPORTED_SQL, "Its dialect " + how)
        .withHint("Give the view a text in this server's dialect: CREATE OR REPLACE VIEW.");
  }

  /** The tree without places: they are places in the view's text, not in the statement. */
  static RelNode withoutPlaces(RelNode query) {
    RexBuilder builder = query.getCluster().getRexBuilder();
    return query.accept(
        new Tree(
            call ->
                call instanceof RexOver || call instanceof RexSubQuery
                    ? call
                    : builder.makeCall(
                        SqlParserPos.ZERO,
                        call.getType(),
                        call.getOperator(),
                        call.getOperands())));
  }

  /** Changes every call of a tree, those in sub-queries too. */
  private static final class Tree extends RelHomogeneousShuttle {
    private final RexShuttle expressions;

    Tree(Function<RexCall, RexNode> change) {
      this.expressions =
          new RexShuttle() {
            @Override
            public RexNode visitCall(RexCall call) {
              RexNode visited = super.visitCall(call);
              return visited instanceof RexCall changed ? change.apply(changed) : visited;
            }

            @Override
            public RexNode visitSubQuery(RexSubQuery subQuery) {
              RexSubQuery visited = (RexSubQuery) super.visitSubQuery(subQuery);
              return visited.clone(visited.rel.accept(Tree.this));
            }
          };
    }

    @Override
    public RelNode visit(RelNode other) {
      RelNode visited = super.visit(other);
      return visited instanceof TableScan ? visited : visited.accept(expressions);
    }
  }
}
