package io.fulmar.reference.read;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import io.fulmar.catalog.host.HostRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/** Makes rows of wanted fields out of a file's records: by field id, at every depth (rule R30). */
final class RowProjection {
  private final List<Cell> cells;

  private RowProjection(List<Cell> cells) {
    this.cells = cells;
  }

  /** One field of a struct. */
  private interface Cell {
    Object of(StructLike struct);
  }

  /**
   * @param identified false where nothing can be found by id, as the file has none
   * @param file the columns that are read of the file
   * @throws FulmarException SCHEMA_MISMATCH naming file and column
   */
  static RowProjection of(
      FileSource source,
      boolean identified,
      Types.StructType file,
      List<Types.NestedField> wanted) {
    Builder builder = new Builder(source, identified);
    return new RowProjection(builder.cells(file, wanted, ""));
  }

  Object[] row(StructLike record) {
    Object[] row = new Object[cells.size()];
    for (int i = 0; i < row.length; i++) {
      row[i] = cells.get(i).of(record);
    }
    return row;
  }

  private record Builder(FileSource source, boolean identified) {
    List<Cell> cells(Types.StructType file, List<Types.NestedField> wanted, String path) {
      List<Cell> cells = new ArrayList<>();
      for (Types.NestedField field : wanted) {
        cells.add(cell(file, field, path + field.name()));
      }
      return cells;
    }

    private Cell cell(Types.StructType file, Types.NestedField wanted, String path) {
      for (int i = 0; i < file.fields().size(); i++) {
        Types.NestedField found = file.fields().get(i);
        if (found.fieldId() == wanted.fieldId()) {
          int ordinal = i;
          UnaryOperator<Object> converter = converter(found.type(), wanted.type(), path);
          return struct -> converter.apply(struct.get(ordinal, Object.class));
        }
      }
      Object absent = absent(wanted, path);
      return struct -> absent;
    }

    private Object absent(Types.NestedField wanted, String path) {
      Optional<Object> constant = source.constants().get(wanted.fieldId());
      if (constant != null) {
        return Leaves.raw(wanted.type(), constant.orElse(null));
      }
      if (!identified && wanted.type().typeId() != Type.TypeID.UNKNOWN) {
        throw mismatch(
            "it has no field ids and the table no name mapping, so column %s cannot be found"
                .formatted(path));
      }
      if (wanted.initialDefault() == null && wanted.isRequired()) {
        throw mismatch(
            "it lacks the required column %s (field %d), which has no default"
                .formatted(path, wanted.fieldId()));
      }
      return Leaves.raw(wanted.type(), wanted.initialDefault());
    }

    private UnaryOperator<Object> converter(Type from, Type to, String path) {
      if (from.isStructType() && to.isStructType()) {
        return struct(from.asStructType(), to.asStructType(), path);
      }
      if (from.isListType() && to.isListType()) {
        return list(
            converter(
                from.asListType().elementType(), to.asListType().elementType(), path + ".element"));
      }
      if (from.isMapType() && to.isMapType()) {
        return map(
            converter(from.asMapType().keyType(), to.asMapType().keyType(), path + ".key"),
            converter(from.asMapType().valueType(), to.asMapType().valueType(), path + ".value"));
      }
      UnaryOperator<Object> promotion =
          from.isNestedType() || to.isNestedType()
              ? unfit(from, to, path)
              : Leaves.promotion(from, to).orElseGet(() -> unfit(from, to, path));
      return value -> value == null ? null : promotion.apply(Leaves.raw(from, value));
    }

    private UnaryOperator<Object> struct(Types.StructType from, Types.StructType to, String path) {
      List<Cell> children = cells(from, to.fields(), path + ".");
      return value -> {
        if (value == null) {
          return null;
        }
        Object[] values = new Object[children.size()];
        for (int i = 0; i < values.length; i++) {
          values[i] = children.get(i).of((StructLike) value);
        }
        return HostRow.of(values);
      };
    }

    private static UnaryOperator<Object> list(UnaryOperator<Object> element) {
      return value -> {
        if (value == null) {
          return null;
        }
        List<Object> elements = new ArrayList<>();
        ((List<?>) value).forEach(each -> elements.add(element.apply(each)));
        return elements;
      };
    }

    private static UnaryOperator<Object> map(
        UnaryOperator<Object> key, UnaryOperator<Object> content) {
      return value -> {
        if (value == null) {
          return null;
        }
        Map<Object, Object> entries = new LinkedHashMap<>();
        ((Map<?, ?>) value).forEach((k, v) -> entries.put(key.apply(k), content.apply(v)));
        return entries;
      };
    }

    private UnaryOperator<Object> unfit(Type from, Type to, String path) {
      throw mismatch("column %s holds %s, which cannot be read as %s".formatted(path, from, to));
    }

    private FulmarException mismatch(String reason) {
      return new FulmarException(
          ErrorCode.SCHEMA_MISMATCH, "Cannot read the file " + source.path() + ": " + reason);
    }
  }
}
