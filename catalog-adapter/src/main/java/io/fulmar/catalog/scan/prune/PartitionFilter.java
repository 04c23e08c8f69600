package io.fulmar.catalog.scan.prune;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.ManifestFile.PartitionFieldSummary;
import org.apache.iceberg.PartitionField;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/**
 * A row filter projected onto the partitions of one spec, inclusively: a partition that holds a
 * matching row passes (rules R05, R40). Unknown and void transforms skip nothing. Safe for use by
 * several threads.
 */
public final class PartitionFilter {
  private final RowFilter filter;
  private final Types.StructType partitionType;
  private final Map<ColumnPredicate, List<Projected>> projections = new IdentityHashMap<>();

  /**
   * @param spec with the types of the tuples that are to be tested
   */
  public PartitionFilter(RowFilter filter, PartitionSpec spec) {
    this.filter = filter;
    this.partitionType = spec.partitionType();
    FilterBinder binder = new FilterBinder(new Schema(partitionType.fields()));
    for (ColumnPredicate predicate : filter.predicates()) {
      projections.put(predicate, project(predicate, spec, binder));
    }
  }

  /** Whether files of a partition may hold matching rows. */
  public boolean mayMatch(StructLike tuple) {
    return mayMatch(
        position -> {
          Object value = tuple.get(position, Object.class);
          return ValueSummary.of(typeAt(position), Optional.ofNullable(value));
        });
  }

  /** Whether files of a manifest may hold matching rows. */
  public boolean mayMatch(List<PartitionFieldSummary> summaries) {
    return mayMatch(
        position ->
            position < summaries.size()
                ? summary(typeAt(position), summaries.get(position))
                : ValueSummary.UNKNOWN);
  }

  /** What a predicate on rows demands of the partition field at a position. */
  private record Projected(int position, FilterTree demand) {}

  private interface Values {
    ValueSummary at(int position);
  }

  private boolean mayMatch(Values values) {
    return filter.mayMatch(
        predicate -> {
          for (Projected projected : projections.get(predicate)) {
            ValueSummary summary = values.at(projected.position);
            if (!projected.demand.mayMatch(each -> each.mayMatch(summary))) {
              return false;
            }
          }
          return true;
        });
  }

  private static List<Projected> project(
      ColumnPredicate predicate, PartitionSpec spec, FilterBinder binder) {
    List<Projected> found = new ArrayList<>();
    List<PartitionField> fields = spec.fields();
    for (int position = 0; position < fields.size(); position++) {
      PartitionField field = fields.get(position);
      if (field.sourceId() == predicate.fieldId()) {
        int at = position;
        predicate
            .projection(field)
            .ifPresent(projected -> found.add(new Projected(at, binder.bind(projected))));
      }
    }
    return List.copyOf(found);
  }

  private Type typeAt(int position) {
    return partitionType.fields().get(position).type();
  }

  static ValueSummary summary(Type type, PartitionFieldSummary summary) {
    boolean nans =
        ValueSummary.hasNaN(type) && (summary.containsNaN() == null || summary.containsNaN());
    return ValueSummary.between(
        summary.containsNull(),
        nans,
        bound(type, summary.lowerBound()),
        bound(type, summary.upperBound()));
  }

  private static Optional<OrderedValue> bound(Type type, ByteBuffer bytes) {
    return Optional.ofNullable(bytes).flatMap(each -> BoundDecoder.decode(type, each));
  }
}
