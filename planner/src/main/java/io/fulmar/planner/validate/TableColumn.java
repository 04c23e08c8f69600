package io.fulmar.planner.validate;

import static java.util.Objects.requireNonNull;

import io.fulmar.engine.plan.MetadataColumn;
import org.apache.calcite.rel.type.RelDataType;

/** A column of a table in a statement. */
public record TableColumn(String name, RelDataType type, Source source) {
  public TableColumn {
    requireNonNull(name, "name is null");
    requireNonNull(type, "type is null");
    requireNonNull(source, "source is null");
  }

  /** Whether {@code *} leaves the column out. */
  public boolean isHidden() {
    return source instanceof Metadata;
  }

  /** Where the values come from. */
  public sealed interface Source {}

  /** A top-level field of the table's schema. */
  public record SchemaField(int fieldId) implements Source {}

  /** What the reader knows about a row beside its data. */
  public record Metadata(MetadataColumn column) implements Source {
    public Metadata {
      requireNonNull(column, "column is null");
    }
  }
}
