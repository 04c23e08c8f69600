package io.fulmar.server.host;

import static java.util.Objects.requireNonNull;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.metadata.TableFields;
import io.fulmar.catalog.metadata.TableSnapshot;
import io.fulmar.catalog.scan.DeleteFileRef;
import io.fulmar.catalog.scan.ScanTask;
import io.fulmar.engine.plan.Constant;
import io.fulmar.engine.plan.DeleteFile;
import io.fulmar.engine.plan.DeleteGroup;
import io.fulmar.engine.plan.FileFormat;
import io.fulmar.engine.plan.FileTask;
import java.util.Optional;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/** Writes scan tasks and deletes of one table in the plan language. */
final class TaskEncoder {
  private final TableSnapshot table;

  TaskEncoder(TableSnapshot table) {
    this.table = requireNonNull(table, "table is null");
  }

  FileTask task(ScanTask task) {
    FileTask.Builder builder =
        FileTask.newBuilder()
            .setIdentity(task.identity())
            .setLocation(task.location())
            .setFormat(format(task.format()))
            .setFileBytes(task.fileBytes())
            .setRecordCount(task.recordCount())
            .setStart(task.start())
            .setLength(task.length())
            .setDataSequenceNumber(task.dataSequenceNumber())
            .setSpecId(task.specId())
            .addAllPositionDeletes(task.positionDeletes())
            .addAllDeleteGroups(task.deleteGroups());
    task.constants().forEach((id, value) -> constant(id, value).ifPresent(builder::addConstants));
    task.nullConstants().forEach(id -> constant(id, null).ifPresent(builder::addConstants));
    task.firstRowId().ifPresent(builder::setFirstRowId);
    task.deletionVector().ifPresent(builder::setDeletionVector);
    task.partition()
        .ifPresent(
            tuple ->
                builder.setPartitionStruct(
                    IcebergValues.struct(spec(task).partitionType(), tuple)));
    return builder.build();
  }

  static DeleteFile deleteFile(DeleteFileRef file) {
    return DeleteFile.newBuilder()
        .setId(file.id())
        .setIdentity(file.identity())
        .setLocation(file.location())
        .setFormat(format(file.format()))
        .setFileBytes(file.fileBytes())
        .setRecordCount(file.recordCount())
        .setDataSequenceNumber(file.dataSequenceNumber())
        .setContentOffset(file.contentOffset())
        .setContentBytes(file.contentBytes())
        .setReferencedDataFile(file.referencedDataFile().orElse(""))
        .build();
  }

  static DeleteGroup deleteGroup(io.fulmar.catalog.scan.DeleteGroup group) {
    return DeleteGroup.newBuilder()
        .setId(group.id())
        .addAllFieldIds(group.fieldIds())
        .addAllDeleteFiles(group.deleteFiles())
        .setScope(group.scope())
        .build();
  }

  /**
   * The value of an identity partition's source field, typed as the scan reads the field. Absent
   * where the field was dropped from every schema or has the type unknown: then it is never read.
   */
  private Optional<Constant> constant(int fieldId, Object value) {
    return Optional.ofNullable(table.schema().findField(fieldId))
        .or(() -> TableFields.find(table.metadata(), fieldId))
        .map(Types.NestedField::type)
        .filter(type -> type.typeId() != Type.TypeID.UNKNOWN)
        .map(
            type ->
                Constant.newBuilder()
                    .setFieldId(fieldId)
                    .setType(IcebergValues.dataType(type))
                    .setValue(IcebergValues.literal(type, value))
                    .build());
  }

  private PartitionSpec spec(ScanTask task) {
    PartitionSpec spec = table.metadata().specsById().get(task.specId());
    if (spec == null) {
      throw new FulmarException(
          ErrorCode.INVALID_METADATA,
          "%s has the unknown partition spec %d".formatted(task.identity(), task.specId()));
    }

    return spec;
  }

  private static FileFormat format(org.apache.iceberg.FileFormat format) {
    return switch (format) {
      case PARQUET -> FileFormat.PARQUET;
      case ORC -> FileFormat.ORC;
      case AVRO -> FileFormat.AVRO;
      case PUFFIN -> FileFormat.PUFFIN;
      case METADATA ->
          throw new FulmarException(
              ErrorCode.UNSUPPORTED_FILE, "A data file cannot have the format " + format);
    };
  }
}
