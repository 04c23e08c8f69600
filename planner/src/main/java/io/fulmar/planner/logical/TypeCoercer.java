package io.fulmar.planner.logical;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * Writes out the casts that SQL leaves implicit: operands of a comparison, of arithmetic, of CASE
 * and of set operations get one type, which the plan language demands. Applying it twice changes
 * nothing more.
 */
final class TypeCoercer extends RexShuttle {
  private final RexBuilder builder;
  private final RelDataTypeFactory types;
  private final ConstantFolder folder;

  private TypeCoercer(RexBuilder builder) {
    this.builder = requireNonNull(builder, "builder is null");
    this.types = builder.getTypeFactory();
    this.folder = new ConstantFolder(builder);
  }

  /** Coerces, and folds the casts of literals. */
  static RelNode coerce(RelNode root) {
    TypeCoercer coercer = new TypeCoercer(root.getCluster().getRexBuilder());
    return root.accept(
        new RelHomogeneousShuttle() {
          @Override
          public RelNode visit(RelNode other) {
            RelNode visited = super.visit(other).accept(coercer);
            return visited instanceof SetOp set ? coercer.inputs(set) : visited;
          }
        });
  }

  @Override
  public RexNode visitCall(RexCall call) {
    RexNode visited = super.visitCall(call);
    if (!(visited instanceof RexCall changed)) {
      return visited;
    }
    return switch (changed.getKind()) {
      case EQUALS,
          NOT_EQUALS,
          LESS_THAN,
          LESS_THAN_OR_EQUAL,
          GREATER_THAN,
          GREATER_THAN_OR_EQUAL,
          IS_DISTINCT_FROM,
          IS_NOT_DISTINCT_FROM,
          NULLIF ->
          comparison(changed);
      case PLUS,
          MINUS,
          TIMES,
          DIVIDE,
          MOD,
          CHECKED_PLUS,
          CHECKED_MINUS,
          CHECKED_TIMES,
          CHECKED_DIVIDE ->
          arithmetic(changed);
      case CASE -> caseBranches(changed);
      case COALESCE, GREATEST, LEAST -> all(changed, changed.getType(), 0);
      case ARRAY_VALUE_CONSTRUCTOR -> all(changed, changed.getType().getComponentType(), 0);
      case MAP_VALUE_CONSTRUCTOR -> mapEntries(changed);
      default -> changed;
    };
  }

  private RexNode comparison(RexCall call) {
    RexNode left = call.operands.get(0);
    RexNode right = call.operands.get(1);
    RexNode bareLeft = withoutWidening(left);
    RexNode bareRight = withoutWidening(right);
    Optional<RexNode> fitted = fitted(right, bareLeft);
    if (fitted.isPresent()) {
      return call.clone(call.getType(), List.of(bareLeft, fitted.get()));
    }
    fitted = fitted(left, bareRight);
    if (fitted.isPresent()) {
      return call.clone(call.getType(), List.of(fitted.get(), bareRight));
    }
    Optional<RelDataType> common = ValueTypes.common(types, left.getType(), right.getType());
    return common.isEmpty() ? call : all(call, common.get(), 0);
  }

  /** What a cast to a wider number type widens: the validator casts columns to fit literals. */
  private static RexNode withoutWidening(RexNode node) {
    boolean widening =
        node.getKind() == SqlKind.CAST
            && SqlTypeUtil.isExactNumeric(node.getType())
            && ValueTypes.isTotalCast(((RexCall) node).operands.get(0).getType(), node.getType());
    return widening ? ((RexCall) node).operands.get(0) : node;
  }

  /** A number literal in the type of what it is compared with, where it loses nothing. */
  private Optional<RexNode> fitted(RexNode literal, RexNode other) {
    boolean numbers =
        TypedLiterals.of(literal).isPresent()
            && TypedLiterals.of(other).isEmpty()
            && SqlTypeUtil.isNumeric(literal.getType())
            && SqlTypeUtil.isNumeric(other.getType());
    if (!numbers) {
      return Optional.empty();
    }
    RexNode cast = cast(literal, other.getType());
    return TypedLiterals.of(cast).isPresent() ? Optional.of(cast) : Optional.empty();
  }

  private RexNode arithmetic(RexCall call) {
    RelDataType result = call.getType();
    if (call.operands.size() != 2 || !SqlTypeUtil.isNumeric(result)) {
      return call;
    }
    RelDataType left = call.operands.get(0).getType();
    RelDataType right = call.operands.get(1).getType();
    if (!SqlTypeUtil.isNumeric(left) || !SqlTypeUtil.isNumeric(right)) {
      return call;
    }
    if (SqlTypeUtil.isDecimal(result)) {
      return decimals(call);
    }
    RelDataType operands =
        SqlTypeUtil.isApproximateNumeric(result)
            ? result
            : ValueTypes.common(types, result, ValueTypes.common(types, left, right).orElse(result))
                .orElse(result);
    RexCall coerced = (RexCall) all(call, operands, 0);
    if (ValueTypes.same(operands, result)) {
      return coerced;
    }
    RelDataType wide = types.createTypeWithNullability(operands, result.isNullable());
    return cast(
        builder.makeCall(call.getParserPosition(), wide, call.getOperator(), coerced.operands),
        result);
  }

  /** Integers among decimals become decimals of scale 0; scales differ as the operator wants. */
  private RexNode decimals(RexCall call) {
    List<RexNode> operands = new ArrayList<>();
    for (RexNode operand : call.operands) {
      operands.add(
          SqlTypeUtil.isDecimal(operand.getType())
              ? operand
              : cast(operand, decimalOf(operand.getType())));
    }
    return call.clone(call.getType(), operands);
  }

  private RelDataType decimalOf(RelDataType whole) {
    return types.createSqlType(
        org.apache.calcite.sql.type.SqlTypeName.DECIMAL, ValueTypes.digits(whole), 0);
  }

  private RexNode caseBranches(RexCall call) {
    List<RexNode> operands = new ArrayList<>(call.operands);
    for (int i = 1; i < operands.size(); i += 2) {
      operands.set(i, cast(operands.get(i), call.getType()));
    }
    int last = operands.size() - 1;
    operands.set(last, cast(operands.get(last), call.getType()));
    return operands.equals(call.operands) ? call : call.clone(call.getType(), operands);
  }

  private RexNode mapEntries(RexCall call) {
    List<RexNode> operands = new ArrayList<>();
    for (int i = 0; i < call.operands.size(); i++) {
      RelDataType type = i % 2 == 0 ? call.getType().getKeyType() : call.getType().getValueType();
      operands.add(cast(call.operands.get(i), type));
    }
    return operands.equals(call.operands) ? call : call.clone(call.getType(), operands);
  }

  private RexNode all(RexCall call, RelDataType type, int from) {
    List<RexNode> operands = new ArrayList<>(call.operands);
    for (int i = from; i < operands.size(); i++) {
      operands.set(i, cast(operands.get(i), type));
    }
    return operands.equals(call.operands) ? call : call.clone(call.getType(), operands);
  }

  /** The node, cast where its values have another form; its nullability stays. */
  private RexNode cast(RexNode node, RelDataType type) {
    if (ValueTypes.same(node.getType(), type) || node.getKind() == SqlKind.DEFAULT) {
      return node;
    }
    RelDataType target = types.createTypeWithNullability(type, node.getType().isNullable());
    return folder.apply(builder.makeAbstractCast(target, node, false));
  }

  private RelNode inputs(SetOp set) {
    List<RelNode> inputs = new ArrayList<>();
    for (RelNode input : set.getInputs()) {
      inputs.add(input(input, set.getRowType()));
    }
    return inputs.equals(set.getInputs()) ? set : set.copy(set.getTraitSet(), inputs);
  }

  private RelNode input(RelNode input, RelDataType target) {
    List<RexNode> columns = new ArrayList<>();
    List<RelDataTypeField> fields = target.getFieldList();
    boolean changed = false;
    for (int i = 0; i < fields.size(); i++) {
      RexNode column = builder.makeInputRef(input, i);
      columns.add(cast(column, fields.get(i).getType()));
      changed |= !columns.get(i).equals(column);
    }
    if (!changed) {
      return input;
    }
    return LogicalProject.create(
        input, List.of(), columns, input.getRowType().getFieldNames(), java.util.Set.of());
  }
}
