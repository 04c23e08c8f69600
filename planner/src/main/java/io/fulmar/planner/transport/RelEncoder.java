package io.fulmar.planner.transport;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.engine.plan.Expr;
import io.fulmar.engine.plan.FilterRel;
import io.fulmar.engine.plan.LimitRel;
import io.fulmar.engine.plan.LiteralList;
import io.fulmar.engine.plan.ProjectRel;
import io.fulmar.engine.plan.RecursiveRel;
import io.fulmar.engine.plan.Rel;
import io.fulmar.engine.plan.SetOp;
import io.fulmar.engine.plan.SetRel;
import io.fulmar.engine.plan.SortRel;
import io.fulmar.engine.plan.UnnestRel;
import io.fulmar.engine.plan.ValuesRel;
import io.fulmar.engine.plan.WorkTableRel;
import io.fulmar.planner.deletes.DataScan;
import io.fulmar.planner.logical.TypedLiterals;
import io.fulmar.planner.logical.Unnest;
import io.fulmar.planner.type.PlanTypes;
import io.fulmar.planner.validate.HostRelTable;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Intersect;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Minus;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.RepeatUnion;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.TableSpool;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.core.Window;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.schema.TransientTable;
import org.apache.calcite.util.ImmutableBitSet;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;

/** Every relational operator as a message. */
final class RelEncoder {
  private final ExprEncoder expressions;
  private final ScanEncoder scans;
  private final JoinEncoder joins;
  private final AggregateEncoder aggregates;
  private final WindowEncoder windows;

  RelEncoder(
      ExprEncoder expressions,
      ScanEncoder scans,
      JoinEncoder joins,
      AggregateEncoder aggregates,
      WindowEncoder windows) {
    this.expressions = requireNonNull(expressions, "expressions is null");
    this.scans = requireNonNull(scans, "scans is null");
    this.joins = requireNonNull(joins, "joins is null");
    this.aggregates = requireNonNull(aggregates, "aggregates is null");
    this.windows = requireNonNull(windows, "windows is null");
  }

  /**
   * The operator with all below it.
   *
   * @throws FulmarException UNSUPPORTED_SQL naming what the plan language has no form for
   */
  Rel encode(RelNode node) {
    Optional<ScanShape> scan = ScanShape.of(node);
    if (scan.isPresent()) {
      return scans.data(withColumn(scan.get()));
    }
    Rel.Builder rel = Rel.newBuilder();
    if (node instanceof Project project) {
      return project(project);
    } else if (node instanceof Filter filter) {
      return filter(filter);
    } else if (node instanceof Join join) {
      rel.setJoin(joins.encode(join, encode(join.getLeft()), encode(join.getRight())));
    } else if (node instanceof Aggregate aggregate) {
      rel.setAggregate(aggregates.encode(aggregate, encode(aggregate.getInput())));
    } else if (node instanceof Window window) {
      rel.setWindow(windows.encode(window, encode(window.getInput())));
    } else if (node instanceof Sort sort) {
      return sort(sort);
    } else if (node instanceof Values values) {
      rel.setValues(values(values));
    } else if (node instanceof Unnest unnest) {
      rel.setUnnest(unnest(unnest));
    } else if (node instanceof TableScan table) {
      return table(table);
    } else {
      return setOrRecursion(node);
    }
    return rel.build();
  }

  private Rel setOrRecursion(RelNode node) {
    if (node instanceof Union union) {
      return set(node, SetOp.UNION, union.all);
    } else if (node instanceof Intersect intersect) {
      return set(node, SetOp.INTERSECT, intersect.all);
    } else if (node instanceof Minus minus) {
      return set(node, SetOp.EXCEPT, minus.all);
    } else if (node instanceof RepeatUnion recursion) {
      return recursion(recursion);
    } else if (node instanceof TableSpool spool) {
      return encode(spool.getInput());
    }
    String name = node.getRelTypeName().replace("Logical", "");
    throw new FulmarException(
        ErrorCode.UNSUPPORTED_SQL, "The relational operator " + name + " is not supported");
  }

  private static ScanShape withColumn(ScanShape shape) {
    return shape.ordinals().isEmpty()
        ? new ScanShape(shape.scan(), List.of(ScanEncoder.cheapest(shape.scan())), List.of())
        : shape;
  }

  private Rel filter(Filter filter) {
    Rel input =
        ScanShape.below(filter)
            .map(scans::data)
            .or(() -> hostBelow(filter))
            .orElseGet(() -> encode(filter.getInput()));
    return Rel.newBuilder()
        .setFilter(
            FilterRel.newBuilder()
                .setInput(input)
                .setCondition(expressions.encode(filter.getCondition())))
        .build();
  }

  /** A host table below a filter, perhaps with a projection of its columns between them. */
  private Optional<Rel> hostBelow(Filter filter) {
    RelNode input = filter.getInput();
    RelNode scan = input instanceof Project project ? project.getInput() : input;
    if (!(scan instanceof TableScan table) || scan instanceof DataScan) {
      return Optional.empty();
    }
    HostRelTable host = table.getTable().unwrap(HostRelTable.class);
    if (host == null) {
      return Optional.empty();
    }
    RexNode condition =
        input instanceof Project project
            ? RelOptUtil.pushPastProject(filter.getCondition(), project)
            : filter.getCondition();
    Expression rows =
        IcebergFilters.convert(
            host.table().schema(), host.columns()::get, RelOptUtil.conjunctions(condition));
    Rel encoded = scans.host(host, table.getRowType(), rows);
    return Optional.of(
        input instanceof Project project
            ? projection(
                encoded,
                expressions.encodeAll(project.getProjects()),
                project.getRowType().getFieldNames())
            : encoded);
  }

  private Rel project(Project project) {
    if (project.getInput() instanceof DataScan scan) {
      return computed(project, scan);
    }
    return projection(
        encode(project.getInput()),
        expressions.encodeAll(project.getProjects()),
        project.getRowType().getFieldNames());
  }

  /** Expressions right above a scan: the scan reads the columns that they use. */
  private Rel computed(Project project, DataScan scan) {
    ImmutableBitSet used = RelOptUtil.InputFinder.bits(project.getProjects(), null);
    List<Integer> ordinals = used.isEmpty() ? List.of(ScanEncoder.cheapest(scan)) : used.asList();
    RexShuttle renumber =
        new RexShuttle() {
          @Override
          public RexNode visitInputRef(RexInputRef reference) {
            return new RexInputRef(ordinals.indexOf(reference.getIndex()), reference.getType());
          }
        };
    return projection(
        scans.data(new ScanShape(scan, ordinals, List.of())),
        expressions.encodeAll(renumber.visitList(project.getProjects())),
        project.getRowType().getFieldNames());
  }

  private static Rel projection(Rel input, List<Expr> exprs, List<String> names) {
    return Rel.newBuilder()
        .setProject(ProjectRel.newBuilder().setInput(input).addAllExprs(exprs).addAllNames(names))
        .build();
  }

  private Rel sort(Sort sort) {
    Rel input = encode(sort.getInput());
    OptionalLong fetch = rows(sort.fetch, "FETCH or LIMIT");
    long offset = rows(sort.offset, "OFFSET").orElse(0);
    if (sort.getCollation().getFieldCollations().isEmpty()) {
      LimitRel.Builder limit = LimitRel.newBuilder().setInput(input).setOffset(offset);
      fetch.ifPresent(limit::setFetch);
      return Rel.newBuilder().setLimit(limit).build();
    }
    SortRel.Builder encoded =
        SortRel.newBuilder()
            .setInput(input)
            .addAllKeys(aggregates.sortKeys(sort.getCollation(), sort.getInput().getRowType()))
            .setOffset(offset);
    fetch.ifPresent(encoded::setFetch);
    return Rel.newBuilder().setSort(encoded).build();
  }

  private static OptionalLong rows(RexNode node, String clause) {
    if (node == null) {
      return OptionalLong.empty();
    }
    RexLiteral literal =
        TypedLiterals.of(node)
            .orElseThrow(
                () ->
                    new FulmarException(
                        ErrorCode.UNSUPPORTED_SQL, clause + " takes a number or a parameter"));
    if (literal.isNull()) {
      return OptionalLong.empty();
    }
    BigDecimal value = literal.getValueAs(BigDecimal.class);
    if (value == null || value.signum() < 0 || value.stripTrailingZeros().scale() > 0) {
      throw new FulmarException(
          ErrorCode.INVALID_ARGUMENT, clause + " takes a whole number from 0, not " + value);
    }
    return OptionalLong.of(value.min(BigDecimal.valueOf(Long.MAX_VALUE)).longValueExact());
  }

  private Rel set(RelNode node, SetOp op, boolean all) {
    SetRel.Builder set = SetRel.newBuilder().setOp(op).setAll(all);
    node.getInputs().forEach(input -> set.addInputs(encode(input)));
    return Rel.newBuilder().setSet(set).build();
  }

  private static ValuesRel values(Values values) {
    RelDataType rowType = values.getRowType();
    ValuesRel.Builder encoded = ValuesRel.newBuilder().addAllFields(PlanTypes.fields(rowType));
    List<RelDataTypeField> fields = rowType.getFieldList();
    for (List<RexLiteral> tuple : values.getTuples()) {
      LiteralList.Builder row = LiteralList.newBuilder();
      for (int i = 0; i < tuple.size(); i++) {
        row.addValues(LiteralEncoder.encode(tuple.get(i), fields.get(i).getType()));
      }
      encoded.addRows(row);
    }
    return encoded.build();
  }

  private UnnestRel unnest(Unnest unnest) {
    UnnestRel.Builder encoded =
        UnnestRel.newBuilder()
            .setInput(encode(unnest.getInput()))
            .setCollection(expressions.encode(unnest.collection()))
            .setOrdinality(unnest.ordinality() == Unnest.Ordinality.FROM_ONE)
            .setOuter(unnest.emptyRows() == Unnest.EmptyRows.KEEP);
    for (RelDataTypeField field : unnest.added()) {
      encoded.addFields(PlanTypes.field(field.getName(), field.getType()));
    }
    return encoded.build();
  }

  private Rel table(TableScan scan) {
    HostRelTable host = scan.getTable().unwrap(HostRelTable.class);
    if (host != null) {
      return scans.host(host, scan.getRowType(), Expressions.alwaysTrue());
    }
    if (scan.getTable().unwrap(TransientTable.class) != null) {
      WorkTableRel work =
          WorkTableRel.newBuilder()
              .setName(name(scan.getTable().getQualifiedName()))
              .addAllFields(PlanTypes.fields(scan.getRowType()))
              .build();
      return Rel.newBuilder().setWorkTable(work).build();
    }
    throw new FulmarException(
        ErrorCode.UNSUPPORTED_SQL,
        "Table " + name(scan.getTable().getQualifiedName()) + " cannot be read");
  }

  private Rel recursion(RepeatUnion recursion) {
    if (recursion.iterationLimit >= 0) {
      throw new FulmarException(
          ErrorCode.UNSUPPORTED_SQL, "An iteration limit of WITH RECURSIVE is not supported");
    }
    RecursiveRel encoded =
        RecursiveRel.newBuilder()
            .setName(name(recursion.getTransientTable().getQualifiedName()))
            .setSeed(encode(recursion.getSeedRel()))
            .setIterative(encode(recursion.getIterativeRel()))
            .setAll(recursion.all)
            .build();
    return Rel.newBuilder().setRecursive(encoded).build();
  }

  private static String name(List<String> parts) {
    return String.join(".", parts);
  }
}
