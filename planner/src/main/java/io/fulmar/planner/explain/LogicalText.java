package io.fulmar.planner.explain;

import io.fulmar.planner.deletes.DataScan;
import io.fulmar.planner.deletes.DeleteScan;
import io.fulmar.planner.logical.Unnest;
import io.fulmar.planner.validate.HostRelTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.RepeatUnion;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.TableSpool;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.util.ImmutableBitSet;

/** A relational tree, one operator a line, inputs indented below. */
public final class LogicalText {
  private static final int SHOWN_ROWS = 5;

  private final StringBuilder text = new StringBuilder();

  private LogicalText() {}

  /** The text, lines joined by newlines, without one at the end. */
  public static String of(RelNode root) {
    LogicalText writer = new LogicalText();
    writer.write(root, 0);
    return writer.text.toString().stripTrailing();
  }

  private void write(RelNode node, int depth) {
    if (node instanceof TableSpool) {
      write(node.getInput(0), depth);
      return;
    }
    text.append("  ".repeat(depth)).append(line(node)).append('\n');
    if (node instanceof Project project
        && project.getInput() instanceof DataScan
        && isPlain(project)) {
      return;
    }
    for (RelNode input : node.getInputs()) {
      write(input, depth + 1);
    }
  }

  private static String line(RelNode node) {
    if (node instanceof Project project) {
      return project(project);
    } else if (node instanceof Filter filter) {
      return "Filter: " + new RexText(names(filter.getInput())).of(filter.getCondition());
    } else if (node instanceof Join join) {
      return join(join);
    } else if (node instanceof Aggregate aggregate) {
      return aggregate(aggregate);
    } else if (node instanceof Sort sort) {
      return sort(sort);
    } else if (node instanceof SetOp set) {
      return words(set.kind.name()) + (set.all ? " All" : " Distinct");
    } else if (node instanceof Values values) {
      return values(values);
    } else if (node instanceof Unnest unnest) {
      return unnest(unnest);
    } else if (node instanceof RepeatUnion recursion) {
      return "Recursive" + (recursion.all ? " All" : " Distinct");
    }
    return node instanceof TableScan scan ? scan(scan) : node.getRelTypeName();
  }

  private static List<String> names(RelNode node) {
    return node.getRowType().getFieldNames();
  }

  private static String list(List<String> items) {
    return "[" + String.join(", ", items) + "]";
  }

  private static boolean isPlain(Project project) {
    List<String> inputs = names(project.getInput());
    for (int i = 0; i < project.getProjects().size(); i++) {
      RexNode expression = project.getProjects().get(i);
      if (!(expression instanceof RexInputRef reference)
          || !inputs.get(reference.getIndex()).equals(names(project).get(i))) {
        return false;
      }
    }
    return true;
  }

  private static String project(Project project) {
    if (project.getInput() instanceof DataScan scan && isPlain(project)) {
      return "Scan: " + scan.displayName() + " " + list(names(project));
    }
    RexText expressions = new RexText(names(project.getInput()));
    List<String> columns = new ArrayList<>();
    for (int i = 0; i < project.getProjects().size(); i++) {
      String expression = expressions.of(project.getProjects().get(i));
      String name = names(project).get(i);
      columns.add(expression.equals(name) ? name : name + " := " + expression);
    }
    return "Project: " + String.join(", ", columns);
  }

  private static String join(Join join) {
    List<String> names = new ArrayList<>(names(join.getLeft()));
    List<String> right = names(join.getRight());
    for (String name : right) {
      names.add(names.contains(name) ? "right." + name : name);
    }
    String kind = words(join.getJoinType().name());
    boolean cross = join.getCondition().isAlwaysTrue();
    if (cross && join.getJoinType() == JoinRelType.INNER) {
      return "Cross Join";
    }
    return kind + " Join: " + new RexText(names).of(join.getCondition());
  }

  private static String aggregate(Aggregate aggregate) {
    List<String> inputs = names(aggregate.getInput());
    StringBuilder line = new StringBuilder("Aggregate: group by ");
    if (aggregate.getGroupType() == Aggregate.Group.SIMPLE) {
      line.append(keys(aggregate.getGroupSet(), inputs));
    } else {
      List<String> sets = aggregate.getGroupSets().stream().map(set -> keys(set, inputs)).toList();
      line.append("sets ").append(String.join(", ", sets));
    }
    int keys = aggregate.getGroupCount();
    for (int i = 0; i < aggregate.getAggCallList().size(); i++) {
      line.append(i == 0 ? "; " : ", ")
          .append(names(aggregate).get(keys + i))
          .append(" := ")
          .append(call(aggregate.getAggCallList().get(i), inputs));
    }
    return line.toString();
  }

  private static String keys(ImmutableBitSet keys, List<String> names) {
    return list(keys.asList().stream().map(names::get).toList());
  }

  private static String call(AggregateCall call, List<String> names) {
    List<String> args = new ArrayList<>();
    call.rexList.forEach(literal -> args.add(new RexText(names).of(literal)));
    call.getArgList().forEach(arg -> args.add(names.get(arg)));
    String text =
        call.getAggregation().getName()
            + "("
            + (call.isDistinct() ? "DISTINCT " : "")
            + (call.isApproximate() ? "APPROXIMATE " : "")
            + (args.isEmpty() ? "*" : String.join(", ", args))
            + ")";
    if (!call.getCollation().getFieldCollations().isEmpty()) {
      text +=
          " WITHIN GROUP (ORDER BY " + order(call.getCollation().getFieldCollations(), names) + ")";
    }
    return call.filterArg < 0 ? text : text + " FILTER (WHERE " + names.get(call.filterArg) + ")";
  }

  private static String order(List<RelFieldCollation> keys, List<String> names) {
    return String.join(
        ", ",
        keys.stream()
            .map(
                key ->
                    names.get(key.getFieldIndex())
                        + Ordering.suffix(key.getDirection(), key.nullDirection))
            .toList());
  }

  private static String sort(Sort sort) {
    List<RelFieldCollation> keys = sort.getCollation().getFieldCollations();
    List<String> parts = new ArrayList<>();
    RexText expressions = new RexText(List.of());
    if (!keys.isEmpty()) {
      parts.add(order(keys, names(sort)));
    }
    if (sort.fetch != null) {
      parts.add("limit " + expressions.of(sort.fetch));
    }
    if (sort.offset != null) {
      parts.add("offset " + expressions.of(sort.offset));
    }
    return (keys.isEmpty() ? "Limit: " : "Sort: ") + String.join(", ", parts);
  }

  private static String values(Values values) {
    List<String> rows = new ArrayList<>();
    RexText expressions = new RexText(List.of());
    for (List<RexLiteral> tuple : values.getTuples()) {
      if (rows.size() == SHOWN_ROWS) {
        rows.add("… " + (values.getTuples().size() - SHOWN_ROWS) + " more");
        break;
      }
      rows.add("(" + String.join(", ", tuple.stream().map(expressions::of).toList()) + ")");
    }
    return "Values: "
        + list(names(values))
        + (rows.isEmpty() ? " no rows" : " " + String.join(", ", rows));
  }

  private static String unnest(Unnest unnest) {
    List<String> added = unnest.added().stream().map(RelDataTypeField::getName).toList();
    return (unnest.emptyRows() == Unnest.EmptyRows.KEEP ? "Outer Unnest: " : "Unnest: ")
        + new RexText(names(unnest.getInput())).of(unnest.collection())
        + " as "
        + list(added)
        + (unnest.ordinality() == Unnest.Ordinality.FROM_ONE ? " with ordinality" : "");
  }

  private static String scan(TableScan scan) {
    if (scan instanceof DataScan data) {
      return "Scan: " + data.displayName() + " " + list(names(scan));
    } else if (scan instanceof DeleteScan deletes) {
      String table = String.join(".", deletes.getTable().getQualifiedName());
      return deletes.kind() instanceof DeleteScan.Positions
          ? "Position Deletes: " + table
          : "Equality Deletes: " + table + " " + list(names(scan));
    }
    HostRelTable host = scan.getTable().unwrap(HostRelTable.class);
    return host != null
        ? "Host Scan: " + host.table().name() + " " + list(names(scan))
        : "Work Table: " + String.join(".", scan.getTable().getQualifiedName());
  }

  /** An enum name as words: LEFT_MARK is Left Mark. */
  private static String words(String name) {
    List<String> words = new ArrayList<>();
    for (String word : name.split("_", -1)) {
      words.add(word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT));
    }
    return String.join(" ", words);
  }
}
