package io.fulmar.planner.logical;

import static java.util.Objects.requireNonNull;

import java.util.List;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.SingleRel;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;

/**
 * One row for each element of a collection of the input row: the input's columns, then the
 * element's (a struct element gives its fields, a map entry its key and value), then the ordinality
 * (from 1) if wanted.
 */
public final class Unnest extends SingleRel {
  private static final double ELEMENTS_GUESS = 4;

  /** What becomes of a row whose collection is NULL or empty. */
  public enum EmptyRows {
    DROP,
    KEEP
  }

  /** Whether the position of the element is a column. */
  public enum Ordinality {
    ABSENT,
    FROM_ONE
  }

  private final RexNode collection;
  private final EmptyRows emptyRows;
  private final Ordinality ordinality;
  private final List<RelDataTypeField> added;

  Unnest(
      RelNode input,
      RexNode collection,
      EmptyRows emptyRows,
      Ordinality ordinality,
      List<RelDataTypeField> added) {
    this(input.getCluster(), input.getTraitSet(), input, collection, emptyRows, ordinality, added);
  }

  private Unnest(
      RelOptCluster cluster,
      RelTraitSet traits,
      RelNode input,
      RexNode collection,
      EmptyRows emptyRows,
      Ordinality ordinality,
      List<RelDataTypeField> added) {
    super(cluster, traits, input);
    this.collection = requireNonNull(collection, "collection is null");
    this.emptyRows = requireNonNull(emptyRows, "emptyRows is null");
    this.ordinality = requireNonNull(ordinality, "ordinality is null");
    this.added = List.copyOf(added);
  }

  /** A list or a map over the input. */
  public RexNode collection() {
    return collection;
  }

  public EmptyRows emptyRows() {
    return emptyRows;
  }

  public Ordinality ordinality() {
    return ordinality;
  }

  /** The columns behind the input's, the ordinality included. */
  public List<RelDataTypeField> added() {
    return added;
  }

  Unnest with(RelNode newInput, RexNode newCollection) {
    return new Unnest(
        getCluster(), getTraitSet(), newInput, newCollection, emptyRows, ordinality, added);
  }

  @Override
  public RelNode copy(RelTraitSet traitSet, List<RelNode> inputs) {
    return new Unnest(
        getCluster(), traitSet, inputs.get(0), collection, emptyRows, ordinality, added);
  }

  @Override
  public RelNode accept(RexShuttle shuttle) {
    RexNode changed = shuttle.apply(collection);
    return changed.equals(collection) ? this : with(getInput(), changed);
  }

  @Override
  protected RelDataType deriveRowType() {
    RelDataTypeFactory.Builder fields = getCluster().getTypeFactory().builder();
    fields.addAll(getInput().getRowType().getFieldList());
    fields.addAll(added);
    return fields.build();
  }

  @Override
  public double estimateRowCount(RelMetadataQuery metadata) {
    return metadata.getRowCount(getInput()) * ELEMENTS_GUESS;
  }

  @Override
  public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer)
        .item("collection", collection)
        .item("emptyRows", emptyRows)
        .item("ordinality", ordinality)
        .item("added", added);
  }
}
