package io.fulmar.reference.compute;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.reference.read.RowBudget;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.util.ImmutableBitSet;

/** One aggregate call. */
final class AggregateFunction {
  private final AggregateCall call;
  private final Supplier<Accumulator> starter;

  private AggregateFunction(AggregateCall call, Supplier<Accumulator> starter) {
    this.call = call;
    this.starter = starter;
  }

  /** What one group's rows come to. */
  interface Accumulator {
    /** Adds a row of the input. */
    void add(Object[] row);

    Object result();
  }

  /**
   * @throws FulmarException UNSUPPORTED_SQL
   */
  static AggregateFunction of(AggregateCall call, Aggregate aggregate) {
    boolean plain =
        !call.isApproximate()
            && !call.ignoreNulls()
            && call.getCollation().getFieldCollations().isEmpty()
            && call.distinctKeys == null;
    if (!plain) {
      throw Unsupported.of("the aggregate " + call);
    }
    return new AggregateFunction(call, starter(call, aggregate.getInput().getRowType()));
  }

  private static Supplier<Accumulator> starter(AggregateCall call, RelDataType input) {
    RelDataType type = call.getType();
    List<Integer> arguments = call.getArgList();
    return switch (call.getAggregation().getKind()) {
      case COUNT -> () -> new Count(arguments);
      case SUM -> () -> new Total(arguments.get(0), type, null);
      case SUM0 -> () -> new Total(arguments.get(0), type, zero(type));
      case AVG -> () -> new Average(arguments.get(0), type);
      case MIN -> {
        checkOrdered(input, arguments.get(0));
        yield () -> new Extreme(arguments.get(0), -1);
      }
      case MAX -> {
        checkOrdered(input, arguments.get(0));
        yield () -> new Extreme(arguments.get(0), 1);
      }
      case SINGLE_VALUE -> () -> new Single(arguments.get(0));
      case LITERAL_AGG -> {
        RexNode literal = call.rexList.get(0);
        Object value = Literals.value((RexLiteral) literal, literal.getType());
        yield () -> new Constant(value);
      }
      case GROUPING, GROUPING_ID -> () -> new Constant(null);
      default -> throw Unsupported.of("the aggregate " + call.getAggregation().getName());
    };
  }

  private static void checkOrdered(RelDataType input, int column) {
    RelDataType type = input.getFieldList().get(column).getType();
    if (type.isStruct() || type.getComponentType() != null || type.getKeyType() != null) {
      throw Unsupported.of("MIN and MAX of " + type);
    }
  }

  private static Object zero(RelDataType type) {
    return SqlTypeUtil.isDecimal(type)
        ? BigDecimal.ZERO.setScale(type.getScale())
        : SqlTypeUtil.isApproximateNumeric(type) ? (Object) 0.0 : (Object) 0L;
  }

  /** A new group of a grouping set. */
  Accumulator start(ImmutableBitSet set, RowBudget budget) {
    SqlKind kind = call.getAggregation().getKind();
    if (kind == SqlKind.GROUPING || kind == SqlKind.GROUPING_ID) {
      long bits = 0;
      for (int column : call.getArgList()) {
        bits = bits * 2 + (set.get(column) ? 0 : 1);
      }
      return new Constant(bits);
    }
    Accumulator started = starter.get();
    Accumulator distinct =
        call.isDistinct() ? new Distinct(started, call.getArgList(), budget) : started;
    return call.hasFilter() ? new Filtered(distinct, call.filterArg) : distinct;
  }

  private record Filtered(Accumulator inner, int column) implements Accumulator {
    @Override
    public void add(Object[] row) {
      if (Boolean.TRUE.equals(row[column])) {
        inner.add(row);
      }
    }

    @Override
    public Object result() {
      return inner.result();
    }
  }

  private static final class Distinct implements Accumulator {
    private final Accumulator inner;
    private final List<Integer> columns;
    private final RowBudget budget;
    private final Set<List<Object>> seen = new HashSet<>();

    Distinct(Accumulator inner, List<Integer> columns, RowBudget budget) {
      this.inner = inner;
      this.columns = columns;
      this.budget = budget;
    }

    @Override
    public void add(Object[] row) {
      List<Object> key = new ArrayList<>();
      columns.forEach(column -> key.add(Values.key(row[column])));
      if (seen.add(key)) {
        budget.hold(1);
        inner.add(row);
      }
    }

    @Override
    public Object result() {
      return inner.result();
    }
  }

  private static final class Count implements Accumulator {
    private final List<Integer> columns;
    private long count;

    Count(List<Integer> columns) {
      this.columns = columns;
    }

    @Override
    public void add(Object[] row) {
      if (columns.stream().noneMatch(column -> row[column] == null)) {
        count++;
      }
    }

    @Override
    public Object result() {
      return count;
    }
  }

  private static final class Total implements Accumulator {
    private final int column;
    private final RelDataType type;
    private final Object empty;
    private Object sum;

    Total(int column, RelDataType type, Object empty) {
      this.column = column;
      this.type = type;
      this.empty = empty;
    }

    @Override
    public void add(Object[] row) {
      if (row[column] != null) {
        sum = plus(sum, row[column]);
      }
    }

    /** Exact numbers without a bound, so that only the result can overflow. */
    static Object plus(Object sum, Object value) {
      if (value instanceof Double || value instanceof Float) {
        double wide = ((Number) value).doubleValue();
        return sum == null ? wide : (Double) sum + wide;
      }
      BigDecimal exact = Arithmetic.decimal(value);
      return sum == null ? exact : ((BigDecimal) sum).add(exact);
    }

    @Override
    public Object result() {
      if (sum == null) {
        return empty;
      }
      if (sum instanceof Double number) {
        return type.getSqlTypeName() == SqlTypeName.REAL ? (Object) number.floatValue() : number;
      }
      if (SqlTypeUtil.isDecimal(type)) {
        return Arithmetic.fit((BigDecimal) sum, type);
      }
      if (!SqlTypeUtil.isIntType(type)) {
        throw Unsupported.of("SUM as " + type);
      }
      try {
        return Arithmetic.inRange(((BigDecimal) sum).longValueExact(), type);
      } catch (ArithmeticException overflow) {
        throw Unsupported.overflow(type);
      }
    }
  }

  private static final class Average implements Accumulator {
    private final int column;
    private final RelDataType type;
    private Object sum;
    private long count;

    Average(int column, RelDataType type) {
      this.column = column;
      this.type = type;
    }

    @Override
    public void add(Object[] row) {
      if (row[column] != null) {
        sum = Total.plus(sum, row[column]);
        count++;
      }
    }

    @Override
    public Object result() {
      if (sum == null) {
        return null;
      }
      if (SqlTypeUtil.isDecimal(type)) {
        BigDecimal quotient =
            ((BigDecimal) sum)
                .divide(BigDecimal.valueOf(count), type.getScale(), RoundingMode.HALF_UP);
        return Arithmetic.fit(quotient, type);
      }
      if (type.getSqlTypeName() != SqlTypeName.DOUBLE) {
        throw Unsupported.of("AVG as " + type);
      }
      return ((Number) sum).doubleValue() / count;
    }
  }

  private static final class Extreme implements Accumulator {
    private final int column;
    private final int direction;
    private Object best;

    Extreme(int column, int direction) {
      this.column = column;
      this.direction = direction;
    }

    @Override
    public void add(Object[] row) {
      Object value = row[column];
      if (value != null && (best == null || Values.compare(value, best) * direction > 0)) {
        best = value;
      }
    }

    @Override
    public Object result() {
      return best;
    }
  }

  private static final class Single implements Accumulator {
    private final int column;
    private boolean seen;
    private Object value;

    Single(int column) {
      this.column = column;
    }

    @Override
    public void add(Object[] row) {
      if (seen) {
        throw new FulmarException(
            ErrorCode.CARDINALITY_VIOLATION, "A scalar subquery gave more than one row");
      }
      seen = true;
      value = row[column];
    }

    @Override
    public Object result() {
      return value;
    }
  }

  private record Constant(Object value) implements Accumulator {
    @Override
    public void add(Object[] row) {}

    @Override
    public Object result() {
      return value;
    }
  }
}
