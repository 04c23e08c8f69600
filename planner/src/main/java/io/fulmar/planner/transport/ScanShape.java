package io.fulmar.planner.transport;

import io.fulmar.planner.deletes.DataScan;
import io.fulmar.planner.validate.TableColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;

/**
 * A data scan with the projection of bare columns above it, and the conjuncts that stand above
 * both.
 *
 * @param ordinals of the scan's columns, in order of the output
 * @param conjuncts over the output
 */
record ScanShape(DataScan scan, List<Integer> ordinals, List<RexNode> conjuncts) {
  ScanShape {
    ordinals = List.copyOf(ordinals);
    conjuncts = List.copyOf(conjuncts);
  }

  /** The shape of a tree that is a scan, a projection of its columns, or a filter above these. */
  static Optional<ScanShape> of(RelNode node) {
    if (node instanceof DataScan scan) {
      List<Integer> all = new ArrayList<>();
      for (int i = 0; i < scan.columns().size(); i++) {
        all.add(i);
      }
      return Optional.of(new ScanShape(scan, all, List.of()));
    }
    if (node instanceof Project project && project.getInput() instanceof DataScan scan) {
      return references(project).map(ordinals -> new ScanShape(scan, ordinals, List.of()));
    }
    return Optional.empty();
  }

  /** The shape below a filter, with the filter's conjuncts. */
  static Optional<ScanShape> below(Filter filter) {
    return of(filter.getInput())
        .map(
            shape ->
                new ScanShape(
                    shape.scan, shape.ordinals, RelOptUtil.conjunctions(filter.getCondition())));
  }

  private static Optional<List<Integer>> references(Project project) {
    List<Integer> ordinals = new ArrayList<>();
    for (RexNode expression : project.getProjects()) {
      if (!(expression instanceof RexInputRef reference)
          || ordinals.contains(reference.getIndex())) {
        return Optional.empty();
      }
      ordinals.add(reference.getIndex());
    }
    return Optional.of(ordinals);
  }

  /** The table's column behind a column of the output. */
  TableColumn column(int output) {
    return scan.columns().get(ordinals.get(output));
  }
}
