package io.fulmar.planner.deletes;

import static java.util.Objects.requireNonNull;

import io.fulmar.planner.validate.TableColumn;
import java.util.List;
import java.util.OptionalLong;
import org.apache.calcite.plan.Convention;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.core.TableScan;

/** The live deletes of one kind of a {@link DataScan}, the right side of an anti-join. */
public final class DeleteScan extends TableScan {
  private final int number;
  private final Kind kind;

  DeleteScan(
      RelOptCluster cluster, int number, String table, Kind kind, List<TableColumn> columns) {
    super(
        cluster,
        cluster.traitSetOf(Convention.NONE),
        List.of(),
        FileTable.of(cluster, table, columns, OptionalLong.empty()));
    this.number = number;
    this.kind = requireNonNull(kind, "kind is null");
  }

  /** The {@link DataScan#number()} of the scan whose rows these delete. */
  public int number() {
    return number;
  }

  public Kind kind() {
    return kind;
  }

  @Override
  public RelNode copy(RelTraitSet traitSet, List<RelNode> inputs) {
    return this;
  }

  @Override
  public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer).item("scan", number).item("kind", kind);
  }

  /** What the deletes match by. */
  public sealed interface Kind {}

  /** By file path and row position: position delete files and deletion vectors. */
  public record Positions() implements Kind {}

  /** By the values of fields, for rows of a lower data sequence number (rule R10). */
  public record Equality(List<Integer> fieldIds) implements Kind {
    public Equality {
      fieldIds = List.copyOf(fieldIds);
    }
  }
}
