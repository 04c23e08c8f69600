package io.fulmar.planner.backend;

import static java.util.Objects.requireNonNull;

import io.fulmar.planner.PlanningContext;
import io.fulmar.planner.parse.Positions;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataType;

/**
 * A query as every backend gets it: names resolved, snapshots pinned, parameters bound, sub-queries
 * and correlation gone, operands of one operator of one type. Tables are plain scans: applying
 * their deletes is the backend's matter.
 *
 * @param root scans hold an {@code IcebergRelTable} or a {@code HostRelTable}
 * @param rowType the types announced, in order; {@code root} may differ in nullability
 * @param schema the announced schema, that of every batch
 * @param context settings, time and zone
 * @param positions of the statement's text
 */
public record LogicalQuery(
    RelNode root,
    RelDataType rowType,
    Schema schema,
    PlanningContext context,
    Positions positions) {
  public LogicalQuery {
    requireNonNull(root, "root is null");
    requireNonNull(rowType, "rowType is null");
    requireNonNull(schema, "schema is null");
    requireNonNull(context, "context is null");
    requireNonNull(positions, "positions is null");
  }
}
