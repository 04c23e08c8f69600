package io.fulmar.server.host;

import io.fulmar.catalog.decode.FileReadRequest;
import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.engine.plan.Constant;
import io.fulmar.engine.plan.FileRead;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Schema;
import org.apache.iceberg.mapping.NameMapping;
import org.apache.iceberg.mapping.NameMappingParser;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/** The engine's wish to read a file, as the decoder takes it. */
final class FileReads {
  private FileReads() {}

  static FileReadRequest toRequest(FileRead read) {
    Schema fields = PlanSchemas.schema(read.getFieldsList());
    Map<Integer, Object> constants = new HashMap<>();
    Set<Integer> nullConstants = new HashSet<>();
    for (Constant constant : read.getConstantsList()) {
      Types.NestedField field = fields.findField(constant.getFieldId());
      if (constant.getValue().getNull()) {
        nullConstants.add(constant.getFieldId());
      } else if (field != null) {
        constants.put(constant.getFieldId(), value(field.type(), constant));
      }
    }
    return new FileReadRequest(
        read.getIdentity(),
        format(read),
        read.getFileBytes(),
        fields,
        nameMapping(read.getNameMapping()),
        constants,
        nullConstants,
        read.getRowPosition()
            ? FileReadRequest.RowPosition.APPENDED
            : FileReadRequest.RowPosition.OMITTED);
  }

  private static Object value(Type type, Constant constant) {
    return IcebergValues.value(type, constant.getValue());
  }

  private static Optional<NameMapping> nameMapping(String json) {
    return json.isEmpty() ? Optional.empty() : Optional.of(NameMappingParser.fromJson(json));
  }

  private static FileFormat format(FileRead read) {
    return switch (read.getFormat()) {
      case ORC -> FileFormat.ORC;
      case AVRO -> FileFormat.AVRO;
      case PARQUET, PUFFIN, FILE_FORMAT_UNSPECIFIED, UNRECOGNIZED ->
          throw new FulmarException(
              ErrorCode.INTERNAL_ERROR,
              "%s is %s, which Java does not decode"
                  .formatted(read.getIdentity(), read.getFormat()));
    };
  }
}
