package io.fulmar.catalog.decode;

import io.fulmar.catalog.decode.FieldResolver.FileField;
import io.fulmar.catalog.host.ArrowColumnWriters;
import io.fulmar.catalog.host.ArrowForm;
import io.fulmar.catalog.host.ColumnWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.IntFunction;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;
import org.apache.orc.TypeDescription;
import org.apache.orc.TypeDescription.Category;
import org.apache.orc.storage.ql.exec.vector.ColumnVector;
import org.apache.orc.storage.ql.exec.vector.ListColumnVector;
import org.apache.orc.storage.ql.exec.vector.MapColumnVector;
import org.apache.orc.storage.ql.exec.vector.StructColumnVector;

/** Builds the columns that copy one ORC file's batches, and notes what has to be read for them. */
final class OrcColumns {
  private static final String ID = "iceberg.id";
  private static final int ABSENT = -1;

  private final FieldResolver resolver;
  private final OrcLeaves leaves;
  private final boolean[] include;

  /**
   * @param include by ORC's column ids; the columns to read are set as they are asked for
   */
  OrcColumns(FieldResolver resolver, BatchBytes bytes, boolean[] include) {
    this.resolver = resolver;
    this.leaves = new OrcLeaves(bytes);
    this.include = include;
  }

  /** Whether any node of a file's schema has a field id. */
  static boolean hasIds(TypeDescription file) {
    return file.getAttributeValue(ID) != null
        || (file.getChildren() != null && file.getChildren().stream().anyMatch(OrcColumns::hasIds));
  }

  /**
   * The columns of a struct's fields.
   *
   * @param path the struct's full name with a dot behind, or nothing at the root
   */
  List<Child> children(
      List<NestedField> wanted,
      TypeDescription file,
      NameScope scope,
      String path,
      IntFunction<FieldVector> vectors) {
    include[file.getId()] = true;
    Map<Integer, Integer> ordinals = resolver.ordinals(fields(file), scope, path);
    List<Child> children = new ArrayList<>();
    for (int i = 0; i < wanted.size(); i++) {
      NestedField field = wanted.get(i);
      String name = path + field.name();
      Integer ordinal = ordinals.get(field.fieldId());
      if (ordinal == null) {
        children.add(new Child(ABSENT, absent(field, name, vectors.apply(i))));
      } else {
        TypeDescription type = file.getChildren().get(ordinal);
        NameScope inner = scope.child(file.getFieldNames().get(ordinal));
        children.add(new Child(ordinal, column(field.type(), type, inner, name, vectors.apply(i))));
      }
    }
    return children;
  }

  private static List<FileField> fields(TypeDescription struct) {
    List<FileField> fields = new ArrayList<>();
    for (int i = 0; i < struct.getChildren().size(); i++) {
      String id = struct.getChildren().get(i).getAttributeValue(ID);
      fields.add(
          new FileField(
              struct.getFieldNames().get(i),
              id == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(id))));
    }
    return fields;
  }

  private OrcColumn absent(NestedField field, String path, FieldVector to) {
    Object value = resolver.absentValue(field, path);
    ColumnWriter writer = ArrowColumnWriters.of(field.type(), ArrowForm.FILE, to);
    return (from, row, index) -> writer.write(index, value);
  }

  private OrcColumn column(
      Type wanted, TypeDescription file, NameScope scope, String path, FieldVector to) {
    if (wanted.typeId() == Type.TypeID.UNKNOWN) {
      return (from, row, index) -> to.setNull(index);
    }

    OrcColumn column =
        switch (wanted.typeId()) {
          case STRUCT -> struct(wanted.asStructType(), file, scope, path, (StructVector) to);
          case LIST -> list(wanted.asListType(), file, scope, path, (ListVector) to);
          case MAP -> map(wanted.asMapType(), file, scope, path, (MapVector) to);
          case VARIANT -> variant(wanted, file, path, (StructVector) to);
          default ->
              leaves
                  .of(wanted, file, to)
                  .orElseThrow(() -> resolver.typeMismatch(path, file, wanted));
        };
    include[file.getId()] = true;
    return column;
  }

  private OrcColumn struct(
      Types.StructType wanted,
      TypeDescription file,
      NameScope scope,
      String path,
      StructVector to) {
    require(Category.STRUCT, file, wanted, path);
    return struct(
        to,
        children(
            wanted.fields(), file, scope, path + ".", i -> (FieldVector) to.getChildByOrdinal(i)));
  }

  private static OrcColumn struct(StructVector to, List<Child> children) {
    return (from, row, index) -> {
      int own = from.isRepeating ? 0 : row;
      if (!from.noNulls && from.isNull[own]) {
        to.setNull(index);
        return;
      }

      to.setIndexDefined(index);
      ColumnVector[] fields = ((StructColumnVector) from).fields;
      for (Child child : children) {
        child.column().copy(child.ordinal() == ABSENT ? from : fields[child.ordinal()], own, index);
      }
    };
  }

  /** A variant is its two parts as they are; ORC has no shredded form. */
  private OrcColumn variant(Type wanted, TypeDescription file, String path, StructVector to) {
    require(Category.STRUCT, file, wanted, path);
    List<Child> parts = new ArrayList<>();
    for (int i = 0; i < to.size(); i++) {
      int ordinal = file.getFieldNames().indexOf(to.getChildByOrdinal(i).getName());
      if (ordinal < 0 || file.getChildren().size() != to.size()) {
        throw resolver.typeMismatch(path, file, wanted);
      }
      TypeDescription part = file.getChildren().get(ordinal);
      FieldVector vector = (FieldVector) to.getChildByOrdinal(i);
      parts.add(
          new Child(
              ordinal, column(Types.BinaryType.get(), part, NameScope.nothing(), path, vector)));
    }
    return struct(to, parts);
  }

  private OrcColumn list(
      Types.ListType wanted, TypeDescription file, NameScope scope, String path, ListVector to) {
    require(Category.LIST, file, wanted, path);
    OrcColumn element =
        column(
            wanted.elementType(),
            file.getChildren().get(0),
            scope.child("element"),
            path + ".element",
            to.getDataVector());
    return (from, row, index) -> {
      int own = from.isRepeating ? 0 : row;
      if (!from.noNulls && from.isNull[own]) {
        to.setNull(index);
        return;
      }

      ListColumnVector lists = (ListColumnVector) from;
      int next = to.startNewValue(index);
      int start = Math.toIntExact(lists.offsets[own]);
      int size = Math.toIntExact(lists.lengths[own]);
      for (int i = 0; i < size; i++) {
        element.copy(lists.child, start + i, next + i);
      }
      to.endValue(index, size);
    };
  }

  private OrcColumn map(
      Types.MapType wanted, TypeDescription file, NameScope scope, String path, MapVector to) {
    require(Category.MAP, file, wanted, path);
    StructVector entries = (StructVector) to.getDataVector();
    OrcColumn key =
        column(
            wanted.keyType(),
            file.getChildren().get(0),
            scope.child("key"),
            path + ".key",
            (FieldVector) entries.getChildByOrdinal(0));
    OrcColumn value =
        column(
            wanted.valueType(),
            file.getChildren().get(1),
            scope.child("value"),
            path + ".value",
            (FieldVector) entries.getChildByOrdinal(1));
    return (from, row, index) -> {
      int own = from.isRepeating ? 0 : row;
      if (!from.noNulls && from.isNull[own]) {
        to.setNull(index);
        return;
      }

      MapColumnVector maps = (MapColumnVector) from;
      int next = to.startNewValue(index);
      int start = Math.toIntExact(maps.offsets[own]);
      int size = Math.toIntExact(maps.lengths[own]);
      for (int i = 0; i < size; i++) {
        entries.setIndexDefined(next + i);
        key.copy(maps.keys, start + i, next + i);
        value.copy(maps.values, start + i, next + i);
      }
      to.endValue(index, size);
    };
  }

  private void require(Category category, TypeDescription file, Type wanted, String path) {
    if (file.getCategory() != category) {
      throw resolver.typeMismatch(path, file, wanted);
    }
  }

  /**
   * A struct's field.
   *
   * @param ordinal in the file's struct, or {@link #ABSENT}
   */
  record Child(int ordinal, OrcColumn column) {}
}
