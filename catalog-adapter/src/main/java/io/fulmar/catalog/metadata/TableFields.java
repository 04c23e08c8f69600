package io.fulmar.catalog.metadata;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.Schema;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.types.Types;

/** Fields by id over all schemas of a table: keys of equality deletes may be dropped (R19). */
public final class TableFields {
  private TableFields() {}

  /**
   * The field as the newest schema that has it spells and types it; the current schema counts as
   * the newest. Types of one id only widen (rule R34), so this is the widest.
   */
  public static Optional<Types.NestedField> find(TableMetadata metadata, int fieldId) {
    return schemas(metadata).stream()
        .map(schema -> Optional.ofNullable(schema.findField(fieldId)))
        .flatMap(Optional::stream)
        .findFirst();
  }

  /** The newest schema that has the field, for the structs around it. */
  public static Optional<Schema> schemaOf(TableMetadata metadata, int fieldId) {
    return schemas(metadata).stream()
        .filter(schema -> schema.findField(fieldId) != null)
        .findFirst();
  }

  private static List<Schema> schemas(TableMetadata metadata) {
    List<Schema> schemas = new ArrayList<>(metadata.schemas());
    schemas.sort(Comparator.comparingInt(Schema::schemaId).reversed());
    schemas.add(0, metadata.schema());
    return schemas;
  }
}
