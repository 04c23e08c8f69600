package io.fulmar.planner.deletes;

import io.fulmar.planner.validate.TableColumn;
import java.util.Optional;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.iceberg.types.Types;

/**
 * Lets expressions right above a {@link DataScan} (and its anti-joins) read a struct's field by the
 * field's own column, so that the rest of the struct is not read.
 */
public final class StructFields extends RelHomogeneousShuttle {
  private StructFields() {}

  /** Rewrites a tree; nothing but the way to a field's value changes. */
  public static RelNode prune(RelNode root) {
    return root.accept(new StructFields());
  }

  @Override
  public RelNode visit(RelNode other) {
    RelNode visited = super.visit(other);
    if (!(visited instanceof Project || visited instanceof Filter)) {
      return visited;
    }
    return scanBelow(visited.getInput(0))
        .map(scan -> visited.accept(new Accesses(scan)))
        .orElse(visited);
  }

  /** The scan whose ordinals the node's first columns have. */
  private static Optional<DataScan> scanBelow(RelNode node) {
    if (node instanceof DataScan scan) {
      return Optional.of(scan);
    } else if (node instanceof Filter) {
      return scanBelow(node.getInput(0));
    } else if (node instanceof Join join && join.getRight() instanceof DeleteScan) {
      return scanBelow(join.getLeft());
    }
    return Optional.empty();
  }

  private static final class Accesses extends RexShuttle {
    private final DataScan scan;

    Accesses(DataScan scan) {
      this.scan = scan;
    }

    @Override
    public RexNode visitFieldAccess(RexFieldAccess access) {
      RexNode visited = super.visitFieldAccess(access);
      if (visited instanceof RexFieldAccess changed
          && changed.getReferenceExpr() instanceof RexInputRef reference
          && scan.columns().get(reference.getIndex()).source()
              instanceof TableColumn.SchemaField parent) {
        Types.NestedField field = scan.snapshot().schema().findField(parent.fieldId());
        int childId =
            field.type().asStructType().fields().get(changed.getField().getIndex()).fieldId();
        int ordinal = ordinal(childId);
        if (ordinal >= 0) {
          return new RexInputRef(ordinal, access.getType());
        }
      }
      return visited;
    }

    private int ordinal(int fieldId) {
      for (int i = 0; i < scan.columns().size(); i++) {
        if (scan.columns().get(i).source() instanceof TableColumn.SchemaField field
            && field.fieldId() == fieldId) {
          return i;
        }
      }
      return -1;
    }
  }
}
