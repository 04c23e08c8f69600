package io.fulmar.planner.explain;

import io.fulmar.planner.logical.ValueTypes;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexFieldCollation;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexWindow;
import org.apache.calcite.rex.RexWindowBound;
import org.apache.calcite.sql.SqlBinaryOperator;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlPostfixOperator;
import org.apache.calcite.sql.SqlPrefixOperator;
import org.apache.calcite.sql.SqlSpecialOperator;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** Expressions with the names of their columns, close to SQL. */
final class RexText {
  private static final int MILLI_DIGITS = 3;

  private final List<String> names;

  RexText(List<String> names) {
    this.names = List.copyOf(names);
  }

  String of(RexNode node) {
    return text(node, false);
  }

  private String text(RexNode node, boolean nested) {
    if (node instanceof RexInputRef reference) {
      return names.get(reference.getIndex());
    } else if (node instanceof RexLiteral literal) {
      return literal(literal);
    } else if (node instanceof RexFieldAccess access) {
      return text(access.getReferenceExpr(), true) + "." + access.getField().getName();
    } else if (node instanceof RexOver over) {
      return over(over);
    } else if (node instanceof RexCall call) {
      return call(call, nested);
    }
    return node.toString();
  }

  private static String literal(RexLiteral literal) {
    if (literal.isNull()) {
      return "NULL";
    }
    if (SqlTypeUtil.isCharacter(literal.getType())) {
      return "'" + literal.getValueAs(String.class).replace("'", "''") + "'";
    }
    if (literal.getTypeName() == SqlTypeName.SYMBOL) {
      return String.valueOf(literal.getValue());
    }
    if (SqlTypeUtil.isInterval(literal.getType())) {
      return interval(literal);
    }
    return switch (literal.getType().getSqlTypeName()) {
      case DATE, TIME, TIMESTAMP, TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
          literal.getType().getSqlTypeName().getName().replace('_', ' ')
              + " '"
              + plain(literal)
              + "'";
      default -> plain(literal);
    };
  }

  private static String interval(RexLiteral literal) {
    BigDecimal value = literal.getValueAs(BigDecimal.class);
    return SqlTypeName.YEAR_INTERVAL_TYPES.contains(literal.getType().getSqlTypeName())
        ? "INTERVAL '" + value + "' MONTH"
        : "INTERVAL '"
            + value.movePointLeft(MILLI_DIGITS).stripTrailingZeros().toPlainString()
            + "' SECOND";
  }

  /** The value without the type that Calcite may put behind it. */
  private static String plain(RexLiteral literal) {
    String digest = literal.toString();
    int type = digest.lastIndexOf(':');
    boolean typed =
        type > 0 && Character.isUpperCase(digest.charAt(Math.min(type + 1, digest.length() - 1)));
    return typed ? digest.substring(0, type) : digest;
  }

  private String call(RexCall call, boolean nested) {
    SqlOperator operator = call.getOperator();
    if (call.getKind() == SqlKind.CAST || call.getKind() == SqlKind.SAFE_CAST) {
      if (keepsValues(call.operands.get(0).getType(), call.getType())) {
        return text(call.operands.get(0), nested);
      }
      String name = call.getKind() == SqlKind.CAST ? "CAST" : "TRY_CAST";
      return name + "(" + of(call.operands.get(0)) + " AS " + call.getType() + ")";
    } else if (call.getKind() == SqlKind.CASE) {
      return caseText(call);
    } else if (call.getKind() == SqlKind.ITEM) {
      return text(call.operands.get(0), true) + "[" + of(call.operands.get(1)) + "]";
    }
    boolean infix =
        operator instanceof SqlBinaryOperator
            || (operator instanceof SqlSpecialOperator && isInfix(call));
    if (infix) {
      List<String> parts = call.operands.stream().map(operand -> text(operand, true)).toList();
      String joined = String.join(" " + operator.getName() + " ", parts);
      return nested ? "(" + joined + ")" : joined;
    } else if (operator instanceof SqlPostfixOperator) {
      String postfix = text(call.operands.get(0), true) + " " + operator.getName();
      return nested ? "(" + postfix + ")" : postfix;
    } else if (operator instanceof SqlPrefixOperator) {
      return operator.getName() + " " + text(call.operands.get(0), true);
    }
    return operator.getName() + "(" + list(call.operands) + ")";
  }

  /** Casts that change nothing but nullability or a wider length are noise. */
  private static boolean keepsValues(RelDataType source, RelDataType target) {
    int limit = target.getPrecision();
    boolean unlimited = limit == RelDataType.PRECISION_NOT_SPECIFIED;
    boolean wider =
        source.getPrecision() != RelDataType.PRECISION_NOT_SPECIFIED
            && source.getPrecision() <= limit;
    return ValueTypes.same(source, target)
        && (unlimited || wider || target.isStruct() || target.getComponentType() != null);
  }

  private static boolean isInfix(RexCall call) {
    return call.operands.size() == 2
        && (call.isA(List.of(SqlKind.PLUS, SqlKind.MINUS, SqlKind.LIKE, SqlKind.SIMILAR)));
  }

  private String caseText(RexCall call) {
    StringBuilder text = new StringBuilder("CASE");
    int last = call.operands.size() - 1;
    for (int i = 0; i < last; i += 2) {
      text.append(" WHEN ").append(of(call.operands.get(i)));
      text.append(" THEN ").append(of(call.operands.get(i + 1)));
    }
    return text.append(" ELSE ").append(of(call.operands.get(last))).append(" END").toString();
  }

  private String list(List<? extends RexNode> nodes) {
    return String.join(", ", nodes.stream().map(this::of).toList());
  }

  private String over(RexOver over) {
    String call =
        over.getOperator().getName()
            + "("
            + (over.isDistinct() ? "DISTINCT " : "")
            + list(over.operands)
            + ")"
            + (over.ignoreNulls() ? " IGNORE NULLS" : "");
    boolean framed = over.getAggOperator().allowsFraming();
    return call + " OVER (" + String.join(" ", window(over.getWindow(), framed)) + ")";
  }

  private List<String> window(RexWindow window, boolean framed) {
    List<String> parts = new ArrayList<>();
    if (!window.partitionKeys.isEmpty()) {
      parts.add("PARTITION BY " + list(window.partitionKeys));
    }
    if (!window.orderKeys.isEmpty()) {
      parts.add(
          "ORDER BY " + String.join(", ", window.orderKeys.stream().map(this::orderKey).toList()));
    }
    boolean whole =
        window.getLowerBound().isUnboundedPreceding()
            && window.getUpperBound().isUnboundedFollowing();
    if (framed && !whole) {
      parts.add(
          (window.isRows() ? "ROWS" : "RANGE")
              + " BETWEEN "
              + bound(window.getLowerBound())
              + " AND "
              + bound(window.getUpperBound()));
    }
    return parts;
  }

  private String orderKey(RexFieldCollation key) {
    return of(key.left) + Ordering.suffix(key.getDirection(), key.getNullDirection());
  }

  private String bound(RexWindowBound bound) {
    if (bound.isCurrentRow()) {
      return "CURRENT ROW";
    }
    String offset = Optional.ofNullable(bound.getOffset()).map(this::of).orElse("UNBOUNDED");
    return offset + (bound.isPreceding() ? " PRECEDING" : " FOLLOWING");
  }
}
