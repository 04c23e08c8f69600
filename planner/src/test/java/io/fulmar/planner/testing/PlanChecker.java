package io.fulmar.planner.testing;

import io.fulmar.engine.plan.AggregateCall;
import io.fulmar.engine.plan.AggregateFunction;
import io.fulmar.engine.plan.AggregateRel;
import io.fulmar.engine.plan.DataType;
import io.fulmar.engine.plan.Expr;
import io.fulmar.engine.plan.Field;
import io.fulmar.engine.plan.JoinKey;
import io.fulmar.engine.plan.JoinRel;
import io.fulmar.engine.plan.JoinType;
import io.fulmar.engine.plan.Literal;
import io.fulmar.engine.plan.LiteralList;
import io.fulmar.engine.plan.Plan;
import io.fulmar.engine.plan.Rel;
import io.fulmar.engine.plan.ScalarFunction;
import io.fulmar.engine.plan.ScanColumn;
import io.fulmar.engine.plan.ScanRel;
import io.fulmar.engine.plan.SchemaField;
import io.fulmar.engine.plan.SetRel;
import io.fulmar.engine.plan.SimpleType;
import io.fulmar.engine.plan.SortKey;
import io.fulmar.engine.plan.WhenThen;
import io.fulmar.engine.plan.WindowCall;
import io.fulmar.engine.plan.WindowGroup;
import io.fulmar.engine.plan.WindowRel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Checks what the engine's builder checks: ordinals lie in their input and have its types, operands
 * that must agree do, literals fit their types. Throws AssertionError.
 */
public final class PlanChecker {
  private static final DataType BOOLEAN =
      DataType.newBuilder().setSimple(SimpleType.BOOLEAN).build();

  private PlanChecker() {}

  public static void check(Plan plan) {
    PlanChecker checker = new PlanChecker();
    List<DataType> types = checker.rel(plan.getRoot());
    require(types.size() == plan.getOutputCount(), "output width " + types.size());
  }

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw new AssertionError(message);
    }
  }

  private List<DataType> rel(Rel rel) {
    return switch (rel.getKindCase()) {
      case SCAN -> scan(rel.getScan());
      case HOST_SCAN -> types(rel.getHostScan().getColumnsList());
      case VALUES -> values(rel);
      case FILTER -> filter(rel);
      case PROJECT -> project(rel);
      case JOIN -> join(rel.getJoin());
      case AGGREGATE -> aggregate(rel.getAggregate());
      case WINDOW -> window(rel.getWindow());
      case SORT -> {
        List<DataType> input = rel(rel.getSort().getInput());
        rel.getSort().getKeysList().forEach(key -> sortKey(key, input));
        yield input;
      }
      case LIMIT -> rel(rel.getLimit().getInput());
      case SET -> set(rel.getSet());
      case UNNEST -> {
        List<DataType> input = rel(rel.getUnnest().getInput());
        expr(rel.getUnnest().getCollection(), input);
        List<DataType> output = new ArrayList<>(input);
        output.addAll(types(rel.getUnnest().getFieldsList()));
        yield output;
      }
      case RECURSIVE -> {
        List<DataType> seed = rel(rel.getRecursive().getSeed());
        List<DataType> next = rel(rel.getRecursive().getIterative());
        require(seed.equals(next), "recursion of " + seed + " and " + next);
        yield seed;
      }
      case WORK_TABLE -> types(rel.getWorkTable().getFieldsList());
      case KIND_NOT_SET -> throw new AssertionError("a relation has no kind");
    };
  }

  private static List<DataType> types(List<Field> fields) {
    return fields.stream().map(Field::getType).toList();
  }

  private List<DataType> scan(ScanRel scan) {
    require(scan.getColumnsCount() > 0, "a scan has no column");
    Set<Integer> known = new HashSet<>();
    scan.getSchemaList().forEach(field -> collect(field, known));
    for (ScanColumn column : scan.getColumnsList()) {
      if (column.hasField()) {
        require(known.contains(column.getField().getFieldId()), "column " + column);
      }
    }
    scan.getEqualityDeletesList()
        .forEach(key -> require(known.containsAll(key.getFieldIdsList()), "key " + key));
    List<DataType> types = scan.getColumnsList().stream().map(ScanColumn::getType).toList();
    if (scan.hasFilter()) {
      condition(scan.getFilter(), types);
    }
    return types;
  }

  private static void collect(SchemaField field, Set<Integer> ids) {
    ids.add(field.getId());
    switch (field.getType().getKindCase()) {
      case STRUCT ->
          field.getType().getStruct().getFieldsList().forEach(child -> collect(child, ids));
      case LIST_ELEMENT -> collect(field.getType().getListElement(), ids);
      case MAP -> {
        collect(field.getType().getMap().getKey(), ids);
        collect(field.getType().getMap().getValue(), ids);
      }
      default -> {}
    }
  }

  private List<DataType> values(Rel rel) {
    List<DataType> types = types(rel.getValues().getFieldsList());
    for (LiteralList row : rel.getValues().getRowsList()) {
      require(row.getValuesCount() == types.size(), "row width");
      for (int i = 0; i < types.size(); i++) {
        literal(row.getValues(i), types.get(i));
      }
    }
    return types;
  }

  private List<DataType> filter(Rel rel) {
    List<DataType> input = rel(rel.getFilter().getInput());
    condition(rel.getFilter().getCondition(), input);
    return input;
  }

  private List<DataType> project(Rel rel) {
    List<DataType> input = rel(rel.getProject().getInput());
    require(
        rel.getProject().getExprsCount() == rel.getProject().getNamesCount(), "projection names");
    return rel.getProject().getExprsList().stream().map(each -> expr(each, input)).toList();
  }

  private List<DataType> join(JoinRel join) {
    List<DataType> left = rel(join.getLeft());
    List<DataType> right = rel(join.getRight());
    for (JoinKey key : join.getKeysList()) {
      require(left.get(key.getLeft()).equals(right.get(key.getRight())), "join key " + key);
    }
    List<DataType> both = new ArrayList<>(left);
    both.addAll(right);
    if (join.hasResidual()) {
      condition(join.getResidual(), both);
    }
    return join.getType() == JoinType.SEMI || join.getType() == JoinType.ANTI ? left : both;
  }

  private List<DataType> aggregate(AggregateRel aggregate) {
    List<DataType> input = rel(aggregate.getInput());
    List<DataType> output = new ArrayList<>();
    aggregate.getKeysList().forEach(key -> output.add(input.get(key)));
    aggregate
        .getGroupingSetsList()
        .forEach(
            set ->
                set.getKeysList()
                    .forEach(key -> require(key < aggregate.getKeysCount(), "grouping set")));
    for (AggregateCall call : aggregate.getCallsList()) {
      require(call.getFunction() != AggregateFunction.AGGREGATE_FUNCTION_UNSPECIFIED, "function");
      call.getArgsList().forEach(arg -> expr(arg, input));
      call.getOrderByList().forEach(key -> sortKey(key, input));
      if (call.hasFilter()) {
        condition(call.getFilter(), input);
      }
      output.add(call.getType());
    }
    return output;
  }

  private List<DataType> window(WindowRel window) {
    List<DataType> input = rel(window.getInput());
    List<DataType> output = new ArrayList<>(input);
    for (WindowGroup group : window.getGroupsList()) {
      group.getPartitionByList().forEach(key -> require(key < input.size(), "partition key"));
      group.getOrderByList().forEach(key -> sortKey(key, input));
      for (WindowCall call : group.getCallsList()) {
        require(call.getFunctionCase() != WindowCall.FunctionCase.FUNCTION_NOT_SET, "function");
        call.getArgsList().forEach(arg -> expr(arg, input));
        output.add(call.getType());
      }
    }
    return output;
  }

  private List<DataType> set(SetRel set) {
    List<DataType> first = rel(set.getInputs(0));
    for (Rel input : set.getInputsList()) {
      require(rel(input).equals(first), "inputs of a set operation differ");
    }
    return first;
  }

  private void sortKey(SortKey key, List<DataType> input) {
    expr(key.getExpr(), input);
  }

  private void condition(Expr condition, List<DataType> input) {
    require(expr(condition, input).equals(BOOLEAN), "condition " + condition);
  }

  private DataType expr(Expr expr, List<DataType> input) {
    require(expr.hasType(), "an expression has no type");
    switch (expr.getKindCase()) {
      case COLUMN ->
          require(
              expr.getColumn() < input.size() && input.get(expr.getColumn()).equals(expr.getType()),
              "column " + expr + " of " + input);
      case LITERAL -> literal(expr.getLiteral(), expr.getType());
      case CALL -> call(expr, input);
      case CAST -> expr(expr.getCast().getInput(), input);
      case CASE -> {
        for (WhenThen branch : expr.getCase().getBranchesList()) {
          condition(branch.getWhen(), input);
          sameOrNull(expr(branch.getThen(), input), expr.getType());
        }
        sameOrNull(expr(expr.getCase().getOtherwise(), input), expr.getType());
      }
      case IN_LIST -> {
        DataType value = expr(expr.getInList().getValue(), input);
        expr.getInList().getListList().forEach(each -> sameOrNull(expr(each, input), value));
      }
      case FIELD -> {
        DataType struct = expr(expr.getField().getInput(), input);
        require(
            struct
                .getStruct()
                .getFields(expr.getField().getOrdinal())
                .getType()
                .equals(expr.getType()),
            "field " + expr);
      }
      case KIND_NOT_SET -> throw new AssertionError("an expression has no kind");
    }
    return expr.getType();
  }

  private void call(Expr expr, List<DataType> input) {
    List<DataType> args =
        expr.getCall().getArgsList().stream().map(arg -> expr(arg, input)).toList();
    require(
        expr.getCall().getFunction() != ScalarFunction.SCALAR_FUNCTION_UNSPECIFIED,
        "unset function");
    switch (expr.getCall().getFunction()) {
      case EQ, NE, LT, LE, GT, GE, IS_DISTINCT_FROM, IS_NOT_DISTINCT_FROM -> {
        require(args.size() == 2, "comparison of " + args.size());
        sameOrNull(args.get(0), args.get(1));
      }
      case AND, OR, NOT -> args.forEach(arg -> sameOrNull(arg, BOOLEAN));
      default -> {}
    }
  }

  private static void sameOrNull(DataType left, DataType right) {
    boolean isNull = left.getSimple() == SimpleType.NULL || right.getSimple() == SimpleType.NULL;
    require(isNull || left.equals(right), "types differ: " + left + " and " + right);
  }

  private static void literal(Literal literal, DataType type) {
    if (literal.getNull()) {
      return;
    }
    Literal.ValueCase wanted =
        switch (type.getKindCase()) {
          case DECIMAL -> Literal.ValueCase.DECIMAL;
          case TIMESTAMP -> Literal.ValueCase.INTEGER;
          case LIST, STRUCT -> Literal.ValueCase.LIST;
          case MAP -> Literal.ValueCase.MAP;
          default ->
              switch (type.getSimple()) {
                case BOOLEAN -> Literal.ValueCase.BOOLEAN;
                case FLOAT32 -> Literal.ValueCase.FLOAT32;
                case FLOAT64 -> Literal.ValueCase.FLOAT64;
                case STRING -> Literal.ValueCase.STRING;
                case BINARY -> Literal.ValueCase.BINARY;
                default -> Literal.ValueCase.INTEGER;
              };
        };
    require(literal.getValueCase() == wanted, "literal " + literal + " of type " + type);
  }
}
