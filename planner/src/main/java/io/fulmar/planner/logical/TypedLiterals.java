package io.fulmar.planner.logical;

import java.util.Optional;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** Literals that keep the exact type, nullability included, of what they replace. */
public final class TypedLiterals {
  private TypedLiterals() {}

  /** {@code literal} as an expression of exactly {@code type}; its value must fit. */
  static RexNode withType(RexBuilder builder, RexNode literal, RelDataType type) {
    return literal.getType().equals(type)
        ? literal
        : builder.makeAbstractCast(type, literal, false);
  }

  /** A NULL of the type. */
  static RexNode nullOf(RexBuilder builder, RelDataType type) {
    return builder.makeNullLiteral(type);
  }

  /**
   * The literal behind an expression: itself, or below casts that do not change the value (of
   * nullability, of the length of text or bytes that still fit).
   */
  public static Optional<RexLiteral> of(RexNode node) {
    if (node instanceof RexLiteral literal) {
      return Optional.of(literal);
    }
    if (node.getKind() == SqlKind.CAST && node instanceof RexCall cast) {
      RexNode operand = cast.operands.get(0);
      return of(operand).filter(literal -> keepsValue(literal, cast.getType()));
    }
    return Optional.empty();
  }

  private static boolean keepsValue(RexLiteral literal, RelDataType target) {
    RelDataType source = literal.getType();
    if (SqlTypeUtil.equalSansNullability(source, target)) {
      return true;
    }
    if (SqlTypeUtil.isCharacter(source) && SqlTypeUtil.isCharacter(target)) {
      return literal.isNull() || fits(literal.getValueAs(String.class).length(), target);
    }
    return !literal.isNull() && ValueTypes.same(source, target);
  }

  private static boolean fits(int length, RelDataType target) {
    return target.getPrecision() == RelDataType.PRECISION_NOT_SPECIFIED
        || length <= target.getPrecision();
  }
}
