package io.fulmar.catalog.decode;

import io.fulmar.catalog.decode.FieldResolver.FileField;
import io.fulmar.catalog.host.ArrowColumnWriters;
import io.fulmar.catalog.host.ArrowForm;
import io.fulmar.catalog.host.ColumnWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.IntFunction;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.io.Decoder;
import org.apache.iceberg.avro.AvroSchemaUtil;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;

/** Builds the columns that decode one Avro file's rows, by the schema it was written with. */
final class AvroColumns {
  private final FieldResolver resolver;
  private final AvroLeaves leaves;

  AvroColumns(FieldResolver resolver, BatchBytes bytes) {
    this.resolver = resolver;
    this.leaves = new AvroLeaves(bytes);
  }

  private static OptionalInt id(Schema.Field field) {
    Object id = field.getObjectProp(AvroSchemaUtil.FIELD_ID_PROP);
    if (id == null) {
      return OptionalInt.empty();
    }
    return OptionalInt.of(
        id instanceof Number number ? number.intValue() : Integer.parseInt(id.toString()));
  }

  /** Whether any node of a file's schema has a field id. */
  static boolean hasIds(Schema file) {
    return hasIds(file, new HashSet<>());
  }

  private static boolean hasIds(Schema file, Set<String> seen) {
    return switch (file.getType()) {
      case RECORD ->
          seen.add(file.getFullName())
              && file.getFields().stream()
                  .anyMatch(field -> id(field).isPresent() || hasIds(field.schema(), seen));
      case UNION -> file.getTypes().stream().anyMatch(branch -> hasIds(branch, seen));
      case ARRAY ->
          file.getObjectProp(AvroSchemaUtil.ELEMENT_ID_PROP) != null
              || hasIds(file.getElementType(), seen);
      case MAP ->
          file.getObjectProp(AvroSchemaUtil.KEY_ID_PROP) != null
              || hasIds(file.getValueType(), seen);
      default -> false;
    };
  }

  /**
   * What decodes one record: its fields in the file's order, then the fields that it lacks.
   *
   * @param path the record's full name with a dot behind, or nothing at the root
   */
  AvroColumn record(
      List<NestedField> wanted,
      Schema file,
      NameScope scope,
      String path,
      IntFunction<FieldVector> vectors) {
    Map<Integer, Integer> ordinals = resolver.ordinals(fields(file), scope, path);
    AvroColumn[] steps = new AvroColumn[file.getFields().size()];
    List<AvroColumn> absent = new ArrayList<>();
    for (int i = 0; i < wanted.size(); i++) {
      NestedField field = wanted.get(i);
      String name = path + field.name();
      Integer ordinal = ordinals.get(field.fieldId());
      if (ordinal == null) {
        absent.add(absent(field, name, vectors.apply(i)));
      } else {
        Schema.Field stored = file.getFields().get(ordinal);
        NameScope inner = scope.child(name(stored));
        steps[ordinal] = column(field.type(), stored.schema(), inner, name, vectors.apply(i));
      }
    }
    return sequence(steps, file, absent);
  }

  private static AvroColumn sequence(AvroColumn[] steps, Schema file, List<AvroColumn> absent) {
    List<AvroColumn> all = new ArrayList<>();
    for (int i = 0; i < steps.length; i++) {
      all.add(steps[i] == null ? skip(file.getFields().get(i).schema()) : steps[i]);
    }
    all.addAll(absent);
    AvroColumn[] sequence = all.toArray(AvroColumn[]::new);
    return (in, index) -> {
      for (AvroColumn step : sequence) {
        step.read(in, index);
      }
    };
  }

  private static AvroColumn skip(Schema file) {
    return (in, index) -> GenericDatumReader.skip(file, in);
  }

  private static String name(Schema.Field field) {
    String original = field.getProp(AvroSchemaUtil.ICEBERG_FIELD_NAME_PROP);
    return original == null ? field.name() : original;
  }

  private static List<FileField> fields(Schema record) {
    return record.getFields().stream().map(field -> new FileField(name(field), id(field))).toList();
  }

  private AvroColumn absent(NestedField field, String path, FieldVector to) {
    Object value = resolver.absentValue(field, path);
    ColumnWriter writer = ArrowColumnWriters.of(field.type(), ArrowForm.FILE, to);
    return (in, index) -> writer.write(index, value);
  }

  private AvroColumn column(
      Type wanted, Schema file, NameScope scope, String path, FieldVector to) {
    if (file.getType() == Schema.Type.NULL) {
      return (in, index) -> to.setNull(index);
    }

    if (wanted.typeId() == Type.TypeID.UNKNOWN) {
      return (in, index) -> {
        GenericDatumReader.skip(file, in);
        to.setNull(index);
      };
    }

    if (file.getType() == Schema.Type.UNION) {
      return union(wanted, file, scope, path, to);
    }
    return switch (wanted.typeId()) {
      case STRUCT -> struct(wanted.asStructType(), file, scope, path, (StructVector) to);
      case LIST -> list(wanted.asListType(), file, scope, path, (ListVector) to);
      case MAP -> map(wanted.asMapType(), file, scope, path, (MapVector) to);
      case VARIANT -> variant(wanted, file, path, (StructVector) to);
      default ->
          leaves.of(wanted, file, to).orElseThrow(() -> resolver.typeMismatch(path, file, wanted));
    };
  }

  private AvroColumn union(Type wanted, Schema file, NameScope scope, String path, FieldVector to) {
    AvroColumn[] branches = new AvroColumn[file.getTypes().size()];
    int values = 0;
    for (int i = 0; i < branches.length; i++) {
      Schema branch = file.getTypes().get(i);
      values += branch.getType() == Schema.Type.NULL ? 0 : 1;
      if (values > 1) {
        throw resolver.typeMismatch(path, file, wanted);
      }
      branches[i] = column(wanted, branch, scope, path, to);
    }
    return (in, index) -> branches[in.readIndex()].read(in, index);
  }

  private AvroColumn struct(
      Types.StructType wanted, Schema file, NameScope scope, String path, StructVector to) {
    if (file.getType() != Schema.Type.RECORD) {
      throw resolver.typeMismatch(path, file, wanted);
    }

    AvroColumn record =
        record(
            wanted.fields(), file, scope, path + ".", i -> (FieldVector) to.getChildByOrdinal(i));
    return defined(to, record);
  }

  private static AvroColumn defined(StructVector to, AvroColumn record) {
    return (in, index) -> {
      to.setIndexDefined(index);
      record.read(in, index);
    };
  }

  /** A variant is its two parts as they are; Avro has no shredded form. */
  private AvroColumn variant(Type wanted, Schema file, String path, StructVector to) {
    if (file.getType() != Schema.Type.RECORD || file.getFields().size() != to.size()) {
      throw resolver.typeMismatch(path, file, wanted);
    }

    AvroColumn[] steps = new AvroColumn[to.size()];
    for (int i = 0; i < to.size(); i++) {
      Schema.Field part = file.getField(to.getChildByOrdinal(i).getName());
      if (part == null) {
        throw resolver.typeMismatch(path, file, wanted);
      }
      FieldVector vector = (FieldVector) to.getChildByOrdinal(i);
      steps[part.pos()] =
          column(Types.BinaryType.get(), part.schema(), NameScope.nothing(), path, vector);
    }
    return defined(to, sequence(steps, file, List.of()));
  }

  private AvroColumn list(
      Types.ListType wanted, Schema file, NameScope scope, String path, ListVector to) {
    if (file.getType() != Schema.Type.ARRAY) {
      throw resolver.typeMismatch(path, file, wanted);
    }

    AvroColumn element =
        column(
            wanted.elementType(),
            file.getElementType(),
            scope.child("element"),
            path + ".element",
            to.getDataVector());
    return (in, index) -> {
      int start = to.startNewValue(index);
      int next = start;
      for (long block = in.readArrayStart(); block > 0; block = in.arrayNext()) {
        for (long i = 0; i < block; i++) {
          element.read(in, next);
          next = Math.incrementExact(next);
        }
      }
      to.endValue(index, next - start);
    };
  }

  /** Maps with keys of other types than string are arrays of records. */
  private AvroColumn map(
      Types.MapType wanted, Schema file, NameScope scope, String path, MapVector to) {
    StructVector entries = (StructVector) to.getDataVector();
    return switch (file.getType()) {
      case MAP ->
          entries(
              to,
              mapEntry(wanted, file, scope, path, entries),
              Decoder::readMapStart,
              Decoder::mapNext);
      case ARRAY ->
          entries(
              to,
              arrayEntry(wanted, file, scope, path, entries),
              Decoder::readArrayStart,
              Decoder::arrayNext);
      default -> throw resolver.typeMismatch(path, file, wanted);
    };
  }

  private static AvroColumn entries(MapVector to, AvroColumn entry, Blocks first, Blocks more) {
    StructVector entries = (StructVector) to.getDataVector();
    return (in, index) -> {
      int start = to.startNewValue(index);
      int next = start;
      for (long block = first.size(in); block > 0; block = more.size(in)) {
        for (long i = 0; i < block; i++) {
          entries.setIndexDefined(next);
          entry.read(in, next);
          next = Math.incrementExact(next);
        }
      }
      to.endValue(index, next - start);
    };
  }

  private AvroColumn mapEntry(
      Types.MapType wanted, Schema file, NameScope scope, String path, StructVector entries) {
    Schema text = Schema.create(Schema.Type.STRING);
    FieldVector keys = (FieldVector) entries.getChildByOrdinal(0);
    FieldVector values = (FieldVector) entries.getChildByOrdinal(1);
    AvroColumn key = column(wanted.keyType(), text, scope.child("key"), path + ".key", keys);
    AvroColumn value =
        column(
            wanted.valueType(), file.getValueType(), scope.child("value"), path + ".value", values);
    return (in, index) -> {
      key.read(in, index);
      value.read(in, index);
    };
  }

  private AvroColumn arrayEntry(
      Types.MapType wanted, Schema file, NameScope scope, String path, StructVector entries) {
    Schema record = file.getElementType();
    if (!AvroSchemaUtil.isKeyValueSchema(record)) {
      throw resolver.typeMismatch(path, file, wanted);
    }

    FieldVector keys = (FieldVector) entries.getChildByOrdinal(0);
    FieldVector values = (FieldVector) entries.getChildByOrdinal(1);
    Schema.Field key = record.getFields().get(0);
    Schema.Field value = record.getFields().get(1);
    AvroColumn first =
        column(wanted.keyType(), key.schema(), scope.child("key"), path + ".key", keys);
    AvroColumn second =
        column(wanted.valueType(), value.schema(), scope.child("value"), path + ".value", values);
    return (in, index) -> {
      first.read(in, index);
      second.read(in, index);
    };
  }

  /** Reads the size of the next block of a collection. */
  @FunctionalInterface
  private interface Blocks {
    long size(Decoder in) throws IOException;
  }
}
