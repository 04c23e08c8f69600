package io.fulmar.catalog.scan.prune;

import io.fulmar.catalog.metadata.ManifestSpecs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.PartitionField;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/**
 * A filter over rows that describe files, tested against such a row or against the manifest that
 * the rows would come from. It accepts at least the rows of its expression. Safe for use by several
 * threads.
 */
public final class RecordFilter {
  private final RowFilter filter;
  private final Map<Integer, Column> columns = new HashMap<>();
  private final Set<Integer> partitionIds;

  private RecordFilter(RowFilter filter, Schema schema, Set<Integer> partitionIds) {
    this.filter = filter;
    this.partitionIds = Set.copyOf(partitionIds);
    for (int fieldId : filter.fieldIds()) {
      columns.put(fieldId, column(schema, fieldId));
    }
  }

  /**
   * @param filter by name, unbound
   * @param schema of the rows
   * @param partition its struct of partition fields
   */
  public static RecordFilter of(Expression filter, Schema schema, Types.StructType partition) {
    Set<Integer> ids = new HashSet<>();
    partition.fields().forEach(field -> ids.add(field.fieldId()));
    return new RecordFilter(RowFilter.of(filter, schema), schema, ids);
  }

  /** A leaf of the rows: the way to it from the top. */
  private record Column(List<Integer> path, Type type) {}

  private static Column column(Schema schema, int fieldId) {
    List<Integer> path = new ArrayList<>();
    find(schema.asStruct(), fieldId, path);
    return new Column(List.copyOf(path), schema.findField(fieldId).type());
  }

  private static boolean find(Types.StructType struct, int fieldId, List<Integer> path) {
    for (int i = 0; i < struct.fields().size(); i++) {
      Types.NestedField field = struct.fields().get(i);
      path.add(i);
      if (field.fieldId() == fieldId
          || (field.type().isStructType() && find(field.type().asStructType(), fieldId, path))) {
        return true;
      }
      path.remove(path.size() - 1);
    }
    return false;
  }

  /** Whether nothing can be left out. */
  public boolean acceptsAll() {
    return filter.acceptsAll();
  }

  /** Whether a row may match. */
  public boolean mayMatch(StructLike row) {
    return filter.mayMatch(predicate -> predicate.mayMatch(value(row, predicate.fieldId())));
  }

  private ValueSummary value(StructLike row, int fieldId) {
    Column column = columns.get(fieldId);
    if (column.path().isEmpty()) {
      return ValueSummary.UNKNOWN;
    }
    Object value = row;
    for (int position : column.path()) {
      value = value == null ? null : ((StructLike) value).get(position, Object.class);
    }
    return summary(column.type(), value);
  }

  /** Some rows hold java.time values, which have no summary. */
  private static ValueSummary summary(Type type, Object value) {
    boolean internal =
        switch (type.typeId()) {
          case DATE, TIME, TIMESTAMP, TIMESTAMP_NANO, INTEGER, LONG, FLOAT, DOUBLE ->
              value == null || value instanceof Number;
          case BOOLEAN, STRING, DECIMAL -> true;
          default -> value == null;
        };
    return internal ? ValueSummary.of(type, Optional.ofNullable(value)) : ValueSummary.UNKNOWN;
  }

  /**
   * Whether a manifest may give a matching row.
   *
   * @param known field id → the values that rows of the manifest can have
   */
  public boolean mayMatch(
      TableMetadata metadata, ManifestFile manifest, Map<Integer, List<Object>> known) {
    PartitionSpec spec = ManifestSpecs.of(metadata, manifest);
    return filter.mayMatch(
        predicate -> {
          int fieldId = predicate.fieldId();
          if (known.containsKey(fieldId)) {
            Type type = columns.get(fieldId).type();
            return known.get(fieldId).stream()
                .anyMatch(value -> predicate.mayMatch(summary(type, value)));
          }
          return !partitionIds.contains(fieldId)
              || predicate.mayMatch(partition(spec, manifest, fieldId));
        });
  }

  /** A field that the manifest's spec lacks is NULL in all its rows. */
  private static ValueSummary partition(PartitionSpec spec, ManifestFile manifest, int fieldId) {
    List<PartitionField> fields = spec.fields();
    for (int i = 0; i < fields.size(); i++) {
      if (fields.get(i).fieldId() == fieldId) {
        boolean summarized = manifest.partitions() != null && i < manifest.partitions().size();
        return summarized
            ? PartitionFilter.summary(
                spec.partitionType().fields().get(i).type(), manifest.partitions().get(i))
            : ValueSummary.UNKNOWN;
      }
    }
    return summary(Types.IntegerType.get(), null);
  }
}
