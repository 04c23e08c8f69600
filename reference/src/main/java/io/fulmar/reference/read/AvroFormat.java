package io.fulmar.reference.read;

import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.Schema.Field;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.iceberg.Schema;
import org.apache.iceberg.avro.Avro;
import org.apache.iceberg.avro.AvroSchemaUtil;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.avro.PlannedDataReader;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.mapping.NameMapping;

/** Avro files. Iceberg falls back to names without ids and mapping; this does not. */
record AvroFormat(FileSource source, Schema schema, boolean identified) implements FormatReader {
  private static final Set<String> ID_PROPERTIES =
      Set.of(
          AvroSchemaUtil.FIELD_ID_PROP,
          AvroSchemaUtil.ELEMENT_ID_PROP,
          AvroSchemaUtil.KEY_ID_PROP,
          AvroSchemaUtil.VALUE_ID_PROP);

  static AvroFormat open(FileSource source) throws IOException {
    org.apache.avro.Schema type;
    try (DataFileStream<Object> stream =
        new DataFileStream<>(source.input().newStream(), new GenericDatumReader<>())) {
      type = stream.getSchema();
    }
    if (!ids(type).isEmpty()) {
      return new AvroFormat(source, withIds(type), true);
    }
    Optional<NameMapping> mapping = source.mapping();
    if (mapping.isEmpty()) {
      return new AvroFormat(source, new Schema(), false);
    }
    return new AvroFormat(
        source, withIds(AvroSchemaUtil.applyNameMapping(type, mapping.get())), true);
  }

  /** Fields without an id go: Iceberg would give them ids that others have. */
  private static Schema withIds(org.apache.avro.Schema type) {
    Set<Integer> ids = ids(type);
    return ids.isEmpty()
        ? new Schema()
        : AvroSchemaUtil.toIceberg(AvroSchemaUtil.pruneColumns(type, ids));
  }

  private static Set<Integer> ids(org.apache.avro.Schema type) {
    Set<Integer> ids = new HashSet<>();
    collect(type, ids);
    return ids;
  }

  private static void collect(org.apache.avro.Schema type, Set<Integer> ids) {
    for (String property : ID_PROPERTIES) {
      if (type.getObjectProp(property) instanceof Integer id) {
        ids.add(id);
      }
    }
    switch (type.getType()) {
      case RECORD -> {
        for (Field field : type.getFields()) {
          if (field.getObjectProp(AvroSchemaUtil.FIELD_ID_PROP) instanceof Integer id) {
            ids.add(id);
          }
          collect(field.schema(), ids);
        }
      }
      case ARRAY -> collect(type.getElementType(), ids);
      case MAP -> collect(type.getValueType(), ids);
      case UNION -> type.getTypes().forEach(branch -> collect(branch, ids));
      default -> {}
    }
  }

  @Override
  public CloseableIterable<Record> read(Schema columns) {
    return Avro.read(source.input())
        .project(columns)
        .withNameMapping(source.mapping().orElseGet(NameMapping::empty))
        .createResolvingReader(file -> PlannedDataReader.create(file, source.lineage()))
        .build();
  }
}
