package io.fulmar.catalog.metadata;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.PartitionField;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.types.Types;

/** Partition specs to read manifests with (rules R05, R52). */
public final class ManifestSpecs {
  private ManifestSpecs() {}

  /**
   * The spec that a manifest was written with. Where a source column has been dropped, the spec is
   * bound to the column as the newest schema has it that does: else its tuples would read as NULL
   * and all partitions as one.
   *
   * @throws FulmarException INVALID_METADATA naming the manifest
   */
  public static PartitionSpec of(TableMetadata metadata, ManifestFile manifest) {
    PartitionSpec spec = metadata.spec(manifest.partitionSpecId());
    if (spec == null) {
      throw new FulmarException(
          ErrorCode.INVALID_METADATA,
          "The manifest %s names the partition spec %d, which the metadata lacks"
              .formatted(manifest.path(), manifest.partitionSpecId()));
    }
    return bound(metadata, spec, "The manifest " + manifest.path());
  }

  /**
   * A spec of the table, bound as {@link #of} does.
   *
   * @throws FulmarException INVALID_METADATA naming the spec
   */
  public static PartitionSpec bound(TableMetadata metadata, PartitionSpec spec) {
    return bound(metadata, spec, "The partition spec " + spec.specId());
  }

  private static PartitionSpec bound(TableMetadata metadata, PartitionSpec spec, String blamed) {
    boolean complete =
        spec.fields().stream().allMatch(field -> spec.schema().findType(field.sourceId()) != null);
    return complete ? spec : rebound(metadata, spec, blamed);
  }

  private static PartitionSpec rebound(TableMetadata metadata, PartitionSpec spec, String blamed) {
    Map<Integer, Types.NestedField> sources = new LinkedHashMap<>();
    for (PartitionField field : spec.fields()) {
      TableFields.find(metadata, field.sourceId())
          .ifPresent(source -> sources.putIfAbsent(field.sourceId(), unnamed(source)));
      if (!sources.containsKey(field.sourceId()) && !field.transform().isVoid()) {
        throw new FulmarException(
            ErrorCode.INVALID_METADATA,
            "%s is partitioned by the column %d, which no schema knows"
                .formatted(blamed, field.sourceId()));
      }
    }
    return spec.toUnbound().bind(new Schema(sources.values().stream().toList()));
  }

  /** Names of partition fields must not meet those of other columns. */
  private static Types.NestedField unnamed(Types.NestedField source) {
    return Types.NestedField.optional(
        source.fieldId(), "source column " + source.fieldId(), source.type());
  }
}
