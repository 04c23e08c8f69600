package io.fulmar.catalog.scan.prune;

import java.util.List;
import org.apache.iceberg.Schema;
import org.apache.iceberg.expressions.And;
import org.apache.iceberg.expressions.BoundPredicate;
import org.apache.iceberg.expressions.BoundReference;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.expressions.Literal;
import org.apache.iceberg.expressions.Or;
import org.apache.iceberg.expressions.Reference;
import org.apache.iceberg.expressions.UnboundPredicate;
import org.apache.iceberg.types.Type;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Binds Iceberg's expressions to columns; what cannot be used exactly accepts all rows. */
final class FilterBinder {
  private static final Logger LOG = LoggerFactory.getLogger(FilterBinder.class);

  private static final FilterTree TRUE = new FilterTree.Constant(true);

  private final Schema schema;

  FilterBinder(Schema schema) {
    this.schema = schema;
  }

  FilterTree bind(Expression filter) {
    return tree(Expressions.rewriteNot(filter));
  }

  private FilterTree tree(Expression node) {
    if (node instanceof And and) {
      return new FilterTree.All(List.of(tree(and.left()), tree(and.right())));
    }
    if (node instanceof Or or) {
      return new FilterTree.Any(List.of(tree(or.left()), tree(or.right())));
    }
    if (node instanceof UnboundPredicate<?> predicate) {
      return predicate(predicate);
    }
    if (node instanceof BoundPredicate<?> bound && bound.term() instanceof BoundReference<?>) {
      return new FilterTree.Leaf(ColumnPredicate.of(bound));
    }
    return new FilterTree.Constant(node.op() != Expression.Operation.FALSE);
  }

  private FilterTree predicate(UnboundPredicate<?> predicate) {
    try {
      return isExact(predicate) ? tree(predicate.bind(schema.asStruct(), true)) : TRUE;
    } catch (RuntimeException e) {
      LOG.debug("Not used for pruning: {}", predicate, e);
      return TRUE;
    }
  }

  /** Whether the literals keep their value in the column's type: Iceberg rounds them silently. */
  private boolean isExact(UnboundPredicate<?> predicate) {
    if (!(predicate.term() instanceof Reference<?> reference) || predicate.literals() == null) {
      return true;
    }

    Type type = schema.findType(reference.name());
    return type == null
        || predicate.literals().stream().allMatch(literal -> isExact(literal, type));
  }

  private static boolean isExact(Literal<?> literal, Type type) {
    Object value = literal.value();
    return switch (type.typeId()) {
      case FLOAT -> !(value instanceof Number number) || isFloat(number);
      case DOUBLE ->
          !(value instanceof Long number) || (long) number.doubleValue() == number.longValue();
      case DECIMAL -> !(value instanceof Float || value instanceof Double);
      default -> true;
    };
  }

  private static boolean isFloat(Number number) {
    if (number instanceof Double) {
      return number.floatValue() == number.doubleValue();
    }
    return number instanceof Float || (long) number.floatValue() == number.longValue();
  }
}
