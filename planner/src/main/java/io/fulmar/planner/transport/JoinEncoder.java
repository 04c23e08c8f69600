package io.fulmar.planner.transport;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.engine.plan.JoinKey;
import io.fulmar.engine.plan.JoinRel;
import io.fulmar.engine.plan.JoinType;
import io.fulmar.engine.plan.Rel;
import io.fulmar.planner.logical.ValueTypes;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;

/** Joins, with the equalities of columns split from the rest of the condition. */
final class JoinEncoder {
  private final ExprEncoder expressions;

  JoinEncoder(ExprEncoder expressions) {
    this.expressions = requireNonNull(expressions, "expressions is null");
  }

  JoinRel encode(Join join, Rel left, Rel right) {
    JoinRel.Builder encoded =
        JoinRel.newBuilder().setLeft(left).setRight(right).setType(type(join));
    RexBuilder builder = join.getCluster().getRexBuilder();
    List<RexNode> residual = new ArrayList<>();
    for (RexNode conjunct : RelOptUtil.conjunctions(join.getCondition())) {
      if (!addKey(join, conjunct, encoded)) {
        residual.add(conjunct);
      }
    }
    if (!residual.isEmpty()) {
      encoded.setResidual(expressions.encode(RexUtil.composeConjunction(builder, residual)));
    }
    return encoded.build();
  }

  private static boolean addKey(Join join, RexNode conjunct, JoinRel.Builder encoded) {
    boolean nullSafe = conjunct.getKind() == SqlKind.IS_NOT_DISTINCT_FROM;
    if (!(nullSafe || conjunct.getKind() == SqlKind.EQUALS)) {
      return false;
    }
    RexCall call = (RexCall) conjunct;
    if (!(call.operands.get(0) instanceof RexInputRef first)
        || !(call.operands.get(1) instanceof RexInputRef second)) {
      return false;
    }
    int width = join.getLeft().getRowType().getFieldCount();
    int low = Math.min(first.getIndex(), second.getIndex());
    int high = Math.max(first.getIndex(), second.getIndex());
    if (low >= width || high < width) {
      return false;
    }
    if (!sameType(join, low, high - width)) {
      return false;
    }
    encoded.addKeys(JoinKey.newBuilder().setLeft(low).setRight(high - width).setNullSafe(nullSafe));
    return true;
  }

  private static boolean sameType(Join join, int left, int right) {
    List<RelDataTypeField> leftFields = join.getLeft().getRowType().getFieldList();
    List<RelDataTypeField> rightFields = join.getRight().getRowType().getFieldList();
    RelDataType leftType = leftFields.get(left).getType();
    return ValueTypes.same(leftType, rightFields.get(right).getType());
  }

  private static JoinType type(Join join) {
    return switch (join.getJoinType()) {
      case INNER -> JoinType.INNER;
      case LEFT -> JoinType.LEFT;
      case RIGHT -> JoinType.RIGHT;
      case FULL -> JoinType.FULL;
      case SEMI -> JoinType.SEMI;
      case ANTI -> JoinType.ANTI;
      default ->
          throw new FulmarException(
              ErrorCode.UNSUPPORTED_SQL,
              "A join of type " + join.getJoinType() + " is not supported");
    };
  }
}
