package io.fulmar.planner.transport;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.planner.deletes.DataScan;
import io.fulmar.planner.deletes.DeleteScan;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;

/**
 * Takes the anti-joins to deletes out of a plan and remembers them: the engine's scan applies them.
 * {@link #verify} makes sure that none got lost on the way.
 */
final class DeleteLowering extends RelHomogeneousShuttle {
  private final Map<Integer, Set<DeleteScan.Kind>> lowered = new HashMap<>();

  /** The plan without anti-joins to deletes. */
  RelNode lower(RelNode root) {
    return root.accept(this);
  }

  @Override
  public RelNode visit(RelNode other) {
    if (other instanceof Join join && join.getRight() instanceof DeleteScan deletes) {
      if (join.getJoinType() != JoinRelType.ANTI) {
        throw broken("a " + join.getJoinType() + " join to deletes");
      }
      lowered.computeIfAbsent(deletes.number(), unused -> new HashSet<>()).add(deletes.kind());
      return join.getLeft().accept(this);
    }
    if (other instanceof DeleteScan) {
      throw broken("deletes that are not the right side of an anti-join");
    }
    return super.visit(other);
  }

  /**
   * Checks that every delete of the scan's snapshot had its anti-join.
   *
   * @throws FulmarException INTERNAL_ERROR
   */
  void verify(DataScan scan) {
    Set<DeleteScan.Kind> expected = new HashSet<>();
    if (scan.deletes().hasPositionDeletes()) {
      expected.add(new DeleteScan.Positions());
    }
    for (List<Integer> fieldIds : scan.deletes().equalityIdSets()) {
      expected.add(new DeleteScan.Equality(fieldIds));
    }
    Set<DeleteScan.Kind> found = lowered.getOrDefault(scan.number(), Set.of());
    if (!found.equals(expected)) {
      throw broken(
          "anti-joins "
              + found
              + " instead of "
              + expected
              + " for "
              + scan.snapshot().displayName());
    }
  }

  private static FulmarException broken(String what) {
    return new FulmarException(ErrorCode.INTERNAL_ERROR, "The planner made " + what);
  }
}
