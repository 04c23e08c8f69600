package io.fulmar.planner.transport;

import static java.util.Objects.requireNonNull;

import io.fulmar.planner.logical.TypedLiterals;
import io.fulmar.planner.validate.TableColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlLikeOperator;
import org.apache.iceberg.Schema;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/**
 * SQL conditions as Iceberg expressions that hold wherever the condition is TRUE, for skipping
 * files (rules R40 to R44). What has no sound form becomes {@code alwaysTrue}; negation is pushed
 * to the leaves here, since a superset must not be negated.
 */
final class IcebergFilters {
  private static final int MAX_TERMS = 500;

  private final Schema schema;
  private final IntFunction<TableColumn> columns;
  private int terms;

  private IcebergFilters(Schema schema, IntFunction<TableColumn> columns) {
    this.schema = requireNonNull(schema, "schema is null");
    this.columns = requireNonNull(columns, "columns is null");
  }

  /** The conjunction of the shape's conjuncts, as far as it has a sound form. */
  static Expression convert(ScanShape shape) {
    return convert(shape.scan().snapshot().schema(), shape::column, shape.conjuncts());
  }

  /**
   * The conjunction of conditions, as far as it has a sound form.
   *
   * @param columns the table's column behind an ordinal of the conditions
   */
  static Expression convert(
      Schema schema, IntFunction<TableColumn> columns, List<RexNode> conjuncts) {
    IcebergFilters filters = new IcebergFilters(schema, columns);
    Expression result = Expressions.alwaysTrue();
    for (RexNode conjunct : conjuncts) {
      if (filters.terms < MAX_TERMS) {
        result = Expressions.and(result, filters.convert(conjunct, false));
      }
    }
    return result;
  }

  /** A superset of the rows where {@code node}, or its negation, is TRUE. */
  private Expression convert(RexNode node, boolean negated) {
    terms++;
    if (terms > MAX_TERMS) {
      return Expressions.alwaysTrue();
    }
    Optional<RexLiteral> literal = TypedLiterals.of(node);
    if (literal.isPresent()) {
      return constant(literal.get(), negated);
    }
    if (!(node instanceof RexCall call)) {
      return bareBoolean(node, negated);
    }
    return switch (node.getKind()) {
      case AND -> junction(call, negated, !negated);
      case OR -> junction(call, negated, negated);
      case NOT -> convert(call.operands.get(0), !negated);
      case IS_TRUE -> negated ? Expressions.alwaysTrue() : convert(call.operands.get(0), false);
      case IS_FALSE -> negated ? Expressions.alwaysTrue() : convert(call.operands.get(0), true);
      case IS_NULL -> nullTest(call, !negated);
      case IS_NOT_NULL -> nullTest(call, negated);
      case EQUALS, NOT_EQUALS, LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL ->
          comparison(call, negated);
      case IS_NOT_DISTINCT_FROM ->
          negated || hasNull(call) ? Expressions.alwaysTrue() : comparison(call, SqlKind.EQUALS);
      case LIKE -> like(call, negated);
      default -> Expressions.alwaysTrue();
    };
  }

  private static boolean hasNull(RexCall call) {
    return call.operands.stream()
        .anyMatch(operand -> TypedLiterals.of(operand).map(RexLiteral::isNull).orElse(false));
  }

  private static Expression constant(RexLiteral literal, boolean negated) {
    boolean holds =
        !literal.isNull() && literal.getValue() instanceof Boolean truth && truth != negated;
    return holds ? Expressions.alwaysTrue() : Expressions.alwaysFalse();
  }

  private Expression bareBoolean(RexNode node, boolean negated) {
    return column(node)
        .filter(column -> column.type().typeId() == Type.TypeID.BOOLEAN)
        .map(column -> (Expression) Expressions.equal(column.name(), !negated))
        .orElse(Expressions.alwaysTrue());
  }

  private Expression junction(RexCall call, boolean negated, boolean conjunction) {
    if (!conjunction && !negated) {
      Optional<Expression> list = inList(call);
      if (list.isPresent()) {
        return list.get();
      }
    }
    Expression result = conjunction ? Expressions.alwaysTrue() : Expressions.alwaysFalse();
    for (RexNode operand : call.operands) {
      Expression part = convert(operand, negated);
      result = conjunction ? Expressions.and(result, part) : Expressions.or(result, part);
    }
    return result;
  }

  /** {@code x = a OR x = b …} over one column. */
  private Optional<Expression> inList(RexCall or) {
    List<Object> values = new ArrayList<>();
    Optional<FilterColumn> first = Optional.empty();
    for (RexNode operand : or.operands) {
      if (operand.getKind() != SqlKind.EQUALS) {
        return Optional.empty();
      }
      Optional<FilterColumn> column = column(((RexCall) operand).operands.get(0));
      Optional<RexLiteral> literal = TypedLiterals.of(((RexCall) operand).operands.get(1));
      if (column.isEmpty()
          || literal.isEmpty()
          || first.map(known -> !known.equals(column.get())).orElse(false)) {
        return Optional.empty();
      }
      first = column;
      if (literal.get().isNull()) {
        continue;
      }
      Optional<Object> value = FilterValues.exact(literal.get(), column.get().type());
      if (value.isEmpty() || FilterValues.isFloat(column.get().type())) {
        return Optional.empty();
      }
      values.add(value.get());
    }
    if (values.isEmpty()) {
      return Optional.of(Expressions.alwaysFalse());
    }
    return first.map(column -> Expressions.in(column.name(), values.toArray()));
  }

  private Expression nullTest(RexCall call, boolean wantsNull) {
    Optional<FilterColumn> column = column(call.operands.get(0));
    if (column.isEmpty() || !column.get().type().isPrimitiveType()) {
      return Expressions.alwaysTrue();
    }
    if (!wantsNull) {
      return Expressions.notNull(column.get().name());
    }
    // Binding takes a required child of an optional struct for never NULL.
    return column.get().nested()
        ? Expressions.alwaysTrue()
        : Expressions.isNull(column.get().name());
  }

  private Expression comparison(RexCall call, boolean negated) {
    SqlKind kind = call.getKind();
    return comparison(call, negated ? kind.negateNullSafe() : kind);
  }

  private Expression comparison(RexCall call, SqlKind kind) {
    RexNode left = call.operands.get(0);
    RexNode right = call.operands.get(1);
    if (TypedLiterals.of(left).isPresent()) {
      return compare(right, kind.reverse(), left);
    }
    return compare(left, kind, right);
  }

  private Expression compare(RexNode value, SqlKind kind, RexNode constant) {
    Optional<FilterColumn> column = column(value);
    Optional<RexLiteral> literal = TypedLiterals.of(constant);
    if (literal.isPresent() && literal.get().isNull()) {
      return Expressions.alwaysFalse();
    }
    if (column.isEmpty() || literal.isEmpty()) {
      return Expressions.alwaysTrue();
    }
    Type type = column.get().type();
    Optional<Object> exact = FilterValues.exact(literal.get(), type);
    if (exact.isEmpty()) {
      return Expressions.alwaysTrue();
    }
    return FilterValues.isFloat(type)
        ? FilterValues.compareFloat(column.get().name(), kind, (Number) exact.get())
        : plain(column.get().name(), kind, exact.get());
  }

  private static Expression plain(String name, SqlKind kind, Object value) {
    return switch (kind) {
      case EQUALS -> Expressions.equal(name, value);
      case NOT_EQUALS -> Expressions.notEqual(name, value);
      case LESS_THAN -> Expressions.lessThan(name, value);
      case LESS_THAN_OR_EQUAL -> Expressions.lessThanOrEqual(name, value);
      case GREATER_THAN -> Expressions.greaterThan(name, value);
      case GREATER_THAN_OR_EQUAL -> Expressions.greaterThanOrEqual(name, value);
      default -> Expressions.alwaysTrue();
    };
  }

  private Expression like(RexCall call, boolean negated) {
    boolean ordinary =
        call.getOperator() instanceof SqlLikeOperator like
            && !like.isNegated()
            && like.isCaseSensitive();
    Optional<FilterColumn> column = column(call.operands.get(0));
    Optional<String> pattern = text(call.operands.get(1));
    if (negated || !ordinary || column.isEmpty() || pattern.isEmpty()) {
      return Expressions.alwaysTrue();
    }
    if (column.get().type().typeId() != Type.TypeID.STRING) {
      return Expressions.alwaysTrue();
    }
    Optional<String> escape =
        call.operands.size() > 2 ? text(call.operands.get(2)) : Optional.empty();
    if (call.operands.size() > 2 && escape.isEmpty()) {
      return Expressions.alwaysTrue();
    }
    LikePattern.Prefix prefix =
        LikePattern.prefix(LikePattern.withBackslash(pattern.get(), escape));
    if (prefix.whole()) {
      return Expressions.equal(column.get().name(), prefix.text());
    }
    String comparable = FilterValues.withoutSurrogates(prefix.text());
    return comparable.isEmpty()
        ? Expressions.notNull(column.get().name())
        : Expressions.startsWith(column.get().name(), comparable);
  }

  private static Optional<String> text(RexNode node) {
    return TypedLiterals.of(node)
        .filter(literal -> !literal.isNull())
        .map(literal -> literal.getValueAs(String.class));
  }

  /** The table's column behind an expression, also below a cast that keeps every value apart. */
  private Optional<FilterColumn> column(RexNode node) {
    if (node instanceof RexInputRef || node instanceof RexFieldAccess) {
      return field(node).flatMap(field -> column(field.fieldId()));
    }
    if (node.getKind() == SqlKind.CAST && node instanceof RexCall cast) {
      return column(cast.operands.get(0))
          .filter(column -> FilterValues.isLossless(column.type(), cast.getType()));
    }
    return Optional.empty();
  }

  /** The field that a column, or a field of a struct column, is. */
  private Optional<Types.NestedField> field(RexNode node) {
    if (node instanceof RexInputRef reference
        && columns.apply(reference.getIndex()).source() instanceof TableColumn.SchemaField source) {
      return Optional.ofNullable(schema.findField(source.fieldId()));
    }
    return node instanceof RexFieldAccess access
        ? field(access.getReferenceExpr())
            .filter(parent -> parent.type().isStructType())
            .map(parent -> parent.type().asStructType().fields())
            .map(children -> children.get(access.getField().getIndex()))
        : Optional.empty();
  }

  private Optional<FilterColumn> column(int fieldId) {
    Types.NestedField field = schema.findField(fieldId);
    String name = schema.findColumnName(fieldId);
    if (field == null || name == null) {
      return Optional.empty();
    }
    Types.NestedField byName = schema.findField(name);
    boolean unique = byName != null && byName.fieldId() == fieldId;
    boolean nested = schema.asStruct().field(fieldId) == null;
    return unique ? Optional.of(new FilterColumn(name, field.type(), nested)) : Optional.empty();
  }

  private record FilterColumn(String name, Type type, boolean nested) {}
}
