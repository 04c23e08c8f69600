package io.fulmar.planner.logical;

import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexPermuteInputsShuttle;
import org.apache.calcite.sql2rel.RelFieldTrimmer;
import org.apache.calcite.tools.RelBuilder;
import org.apache.calcite.util.ImmutableBitSet;
import org.apache.calcite.util.mapping.Mapping;
import org.apache.calcite.util.mapping.MappingType;
import org.apache.calcite.util.mapping.Mappings;

/** Calcite's trimmer, which also knows {@link Unnest}. */
public final class FieldTrimmer extends RelFieldTrimmer {
  private FieldTrimmer(RelBuilder builder) {
    super(null, builder);
  }

  /** Leaves only needed columns below {@code root}, whose own columns all stay. */
  static RelNode apply(RelNode root) {
    RelBuilder builder = LogicalRules.TRIM_BUILDERS.create(root.getCluster(), null);
    RelNode trimmed = new FieldTrimmer(builder).trim(root);
    return trimmed.getRowType().getFieldNames().equals(root.getRowType().getFieldNames())
        ? trimmed
        : renamed(trimmed, root.getRowType().getFieldNames());
  }

  private static RelNode renamed(RelNode node, List<String> names) {
    RexBuilder builder = node.getCluster().getRexBuilder();
    List<? extends RexNode> columns = builder.identityProjects(node.getRowType());
    return LogicalProject.create(node, List.of(), columns, names, Set.of());
  }

  /** Called by reflection for every {@link Unnest}. */
  public TrimResult trimFields(
      Unnest unnest, ImmutableBitSet fieldsUsed, Set<RelDataTypeField> extraFields) {
    int width = unnest.getInput().getRowType().getFieldCount();
    int total = unnest.getRowType().getFieldCount();
    ImmutableBitSet needed =
        fieldsUsed
            .intersect(ImmutableBitSet.range(width))
            .union(RelOptUtil.InputFinder.bits(unnest.collection()));
    TrimResult input = trimChild(unnest, unnest.getInput(), needed, extraFields);
    Mapping inputMapping = input.right;
    RelNode newInput = input.left;
    RexNode collection =
        unnest.collection().accept(new RexPermuteInputsShuttle(inputMapping, newInput));
    int newWidth = newInput.getRowType().getFieldCount();
    Mapping mapping =
        Mappings.create(MappingType.INVERSE_SURJECTION, total, newWidth + total - width);
    for (int i = 0; i < width; i++) {
      int target = inputMapping.getTargetOpt(i);
      if (target >= 0) {
        mapping.set(i, target);
      }
    }
    for (int i = width; i < total; i++) {
      mapping.set(i, newWidth + i - width);
    }
    return result(unnest.with(newInput, collection), mapping);
  }
}
