package io.fulmar.catalog.host;

import io.fulmar.catalog.metadata.ManifestSpecs;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.iceberg.PartitionField;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.types.Types;

/**
 * All partition fields of all specs of a table, those of dropped columns too: with them, and only
 * with them, two tuples that look alike are alike (rules R14, R52). Names are the newest spec's.
 */
final class PartitionUnion {
  private final Types.StructType type;
  private final Map<Integer, int[]> positions = new HashMap<>();
  private final Map<Integer, PartitionSpec> specs = new HashMap<>();

  private PartitionUnion(Types.StructType type, List<PartitionSpec> specs) {
    this.type = type;
    for (PartitionSpec spec : specs) {
      this.specs.put(spec.specId(), spec);
      positions.put(
          spec.specId(),
          type.fields().stream().mapToInt(field -> position(spec, field.fieldId())).toArray());
    }
  }

  static PartitionUnion of(TableMetadata metadata) {
    List<PartitionSpec> specs =
        metadata.specs().stream()
            .map(spec -> ManifestSpecs.bound(metadata, spec))
            .sorted(Comparator.comparingInt(PartitionSpec::specId).reversed())
            .toList();
    Map<Integer, Types.NestedField> fields = new TreeMap<>();
    Map<Integer, PartitionField> sources = new HashMap<>();
    for (PartitionSpec spec : specs) {
      for (PartitionField field : spec.fields()) {
        add(spec.partitionType().field(field.fieldId()), field, fields, sources);
      }
    }
    return new PartitionUnion(Types.StructType.of(new ArrayList<>(fields.values())), specs);
  }

  /** A void field tells the newest name only: an older spec has the type. */
  private static void add(
      Types.NestedField tuple,
      PartitionField field,
      Map<Integer, Types.NestedField> fields,
      Map<Integer, PartitionField> sources) {
    PartitionField known = sources.get(field.fieldId());
    if (known == null) {
      fields.put(field.fieldId(), tuple.asOptional());
      sources.put(field.fieldId(), field);
    } else if (known.transform().isVoid() && !field.transform().isVoid()) {
      String name = fields.get(field.fieldId()).name();
      fields.put(field.fieldId(), Types.NestedField.optional(field.fieldId(), name, tuple.type()));
      sources.put(field.fieldId(), field);
    }
  }

  private static int position(PartitionSpec spec, int fieldId) {
    List<PartitionField> fields = spec.fields();
    for (int i = 0; i < fields.size(); i++) {
      if (fields.get(i).fieldId() == fieldId) {
        return i;
      }
    }
    return -1;
  }

  Types.StructType type() {
    return type;
  }

  /** The type of a spec's own tuples. */
  Types.StructType type(int specId) {
    return specs.get(specId).partitionType();
  }

  /** A tuple of a spec with the fields of all; those of other specs are NULL. */
  StructLike widened(int specId, StructLike tuple) {
    int[] from = positions.get(specId);
    Object[] values = new Object[from.length];
    for (int i = 0; i < from.length; i++) {
      values[i] = from[i] < 0 ? null : tuple.get(from[i], Object.class);
    }
    return HostRow.of(values);
  }
}
