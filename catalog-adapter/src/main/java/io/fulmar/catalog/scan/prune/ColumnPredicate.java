package io.fulmar.catalog.scan.prune;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.PartitionField;
import org.apache.iceberg.expressions.BoundPredicate;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.transforms.Transform;
import org.apache.iceberg.types.Type;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A predicate on a bare column. SQL's order holds: NaN equals NaN and is above infinity, zeros of
 * both signs are equal, NULL matches only IS NULL.
 *
 * @param literals sorted; empty where there are none or one has no order
 */
record ColumnPredicate(
    Expression.Operation op, int fieldId, BoundPredicate<?> bound, List<OrderedValue> literals) {
  private static final Logger LOG = LoggerFactory.getLogger(ColumnPredicate.class);

  static ColumnPredicate of(BoundPredicate<?> predicate) {
    return new ColumnPredicate(
        predicate.op(),
        predicate.ref().fieldId(),
        predicate,
        literals(predicate, predicate.ref().type()));
  }

  /** What it demands of a partition field of its column, inclusively; empty: nothing. */
  @SuppressWarnings("unchecked")
  Optional<Expression> projection(PartitionField field) {
    try {
      Transform<Object, ?> transform = (Transform<Object, ?>) field.transform();
      if (op == Expression.Operation.STARTS_WITH || op == Expression.Operation.NOT_STARTS_WITH) {
        return prefixProjection(field, transform);
      }
      return Optional.ofNullable(transform.project(field.name(), (BoundPredicate<Object>) bound));
    } catch (RuntimeException e) {
      LOG.debug("Not used for pruning partitions: {} on {}", bound, field, e);
      return Optional.empty();
    }
  }

  /** Iceberg's own compares a prefix with a width by UTF-16 units, not by code points. */
  private Optional<Expression> prefixProjection(
      PartitionField field, Transform<Object, ?> transform) {
    boolean cuts = transform.isIdentity() || transform.toString().startsWith("truncate[");
    if (!cuts) {
      return Optional.empty();
    }

    String prefix = bound.asLiteralPredicate().literal().value().toString();
    String cut = transform.bind(bound.ref().type()).apply(prefix).toString();
    if (op == Expression.Operation.STARTS_WITH) {
      return Optional.of(Expressions.startsWith(field.name(), cut));
    }
    return cut.equals(prefix)
        ? Optional.of(Expressions.notStartsWith(field.name(), prefix))
        : Optional.empty();
  }

  /** Whether it can hold for one of the values. */
  boolean mayMatch(ValueSummary values) {
    return switch (op) {
      case IS_NULL -> values.nulls();
      case NOT_NULL -> values.ordinary() || values.nans();
      case IS_NAN -> values.nans();
      case NOT_NAN -> values.ordinary() || values.nulls();
      default -> literals.isEmpty() || compared(values);
    };
  }

  private boolean compared(ValueSummary values) {
    OrderedValue literal = literals.get(0);
    boolean ordinary = values.ordinary();
    return switch (op) {
      case LT -> ordinary && !lowerAtLeast(values, literal, 0);
      case LT_EQ -> ordinary && !lowerAtLeast(values, literal, 1);
      case GT -> values.nans() || (ordinary && reaches(values, literal, 1));
      case GT_EQ -> values.nans() || (ordinary && reaches(values, literal, 0));
      case EQ, IN -> ordinary && mayEqualAny(values);
      case NOT_EQ, NOT_IN -> values.nans() || (ordinary && !isOnlyOneOf(values));
      case STARTS_WITH -> ordinary && mayStartWith(values, literal);
      case NOT_STARTS_WITH -> ordinary && !allStartWith(values, literal);
      default -> true;
    };
  }

  /** If the smallest literal not below the values is above them, so are the others. */
  private boolean mayEqualAny(ValueSummary values) {
    if (values.lower().isEmpty()) {
      return reaches(values, literals.get(0), 0);
    }

    OrderedValue lower = values.lower().get();
    int found = Collections.binarySearch(literals, lower, OrderedValue::compare);
    int next = found >= 0 ? found : -found - 1;
    return next < literals.size() && reaches(values, literals.get(next), 0);
  }

  private boolean isOnlyOneOf(ValueSummary values) {
    return values.single()
        && values
            .lower()
            .filter(only -> Collections.binarySearch(literals, only, OrderedValue::compare) >= 0)
            .isPresent();
  }

  /** Whether all values are known to be at least a literal, or with slack 1 to exceed it. */
  private static boolean lowerAtLeast(ValueSummary values, OrderedValue literal, int slack) {
    return values.lower().filter(low -> OrderedValue.compare(low, literal) >= slack).isPresent();
  }

  /** Whether some value may be at least a literal, or with slack 1 exceed it. */
  private static boolean reaches(ValueSummary values, OrderedValue literal, int slack) {
    if (values.upper().isEmpty()) {
      return true;
    }

    OrderedValue upper = values.upper().get();
    return OrderedValue.compare(upper, literal) >= slack
        || (!values.single() && beginsWith(literal, upper));
  }

  private static boolean mayStartWith(ValueSummary values, OrderedValue prefix) {
    boolean above =
        values
            .lower()
            .filter(low -> OrderedValue.compare(low, prefix) > 0 && !beginsWith(low, prefix))
            .isPresent();
    return !above && reaches(values, prefix, 0);
  }

  private static boolean allStartWith(ValueSummary values, OrderedValue prefix) {
    return values.lower().filter(low -> beginsWith(low, prefix)).isPresent()
        && values.upper().filter(high -> beginsWith(high, prefix)).isPresent();
  }

  private static boolean beginsWith(OrderedValue value, OrderedValue prefix) {
    return value instanceof OrderedValue.Bytes bytes
        && prefix instanceof OrderedValue.Bytes start
        && bytes.startsWith(start);
  }

  private static List<OrderedValue> literals(BoundPredicate<?> predicate, Type type) {
    List<Object> values = new ArrayList<>();
    if (predicate.isLiteralPredicate()) {
      values.add(predicate.asLiteralPredicate().literal().value());
    } else if (predicate.isSetPredicate()) {
      values.addAll(predicate.asSetPredicate().literalSet());
    }

    List<OrderedValue> literals = new ArrayList<>();
    for (Object value : values) {
      Optional<OrderedValue> ordered = OrderedValue.of(type, value);
      if (ordered.isEmpty()) {
        return List.of();
      }
      literals.add(ordered.get());
    }
    literals.sort(OrderedValue::compare);
    return List.copyOf(literals);
  }
}
