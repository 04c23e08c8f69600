package io.fulmar.reference.read;

import io.fulmar.catalog.host.HostRow;
import io.fulmar.catalog.metadata.TableSnapshot;
import io.fulmar.engine.plan.MetadataColumn;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.LongPredicate;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.types.Types;

/**
 * The live rows of a snapshot: position deletes by the row's ordinal in its file, then equality
 * deletes by its key (rule R22).
 */
final class LiveRows implements AutoCloseable {
  private final TableSnapshot table;
  private final ReadColumns columns;
  private final PositionDeletes positionDeletes;
  private final EqualityDeletes equalityDeletes;
  private final Iterator<DataFile> files;
  private OpenFile open;
  private Object[] next;

  LiveRows(TableSnapshot table, ReadColumns columns, RowBudget budget) {
    this.table = table;
    this.columns = columns;
    LiveFiles live = LiveFiles.of(table);
    this.positionDeletes = PositionDeletes.load(table, live.deletes());
    this.equalityDeletes = EqualityDeletes.load(table, live.deletes(), budget);
    this.files = live.data().iterator();
  }

  boolean hasNext() {
    while (next == null) {
      if (open == null) {
        if (!files.hasNext()) {
          return false;
        }
        open = new OpenFile(files.next());
      }
      next = open.advance();
      if (next == null) {
        open.close();
        open = null;
      }
    }
    return true;
  }

  /** One value for each column of the result. */
  Object[] next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    Object[] row = next;
    next = null;
    return row;
  }

  @Override
  public void close() {
    if (open != null) {
      open.close();
      open = null;
    }
  }

  private final class OpenFile {
    private final DataFile file;
    private final LongPredicate deletedPositions;
    private final List<EqualityDeletes.Applied> equality;
    private final HostRow partition;
    private final FileRows rows;
    private long position = -1;

    OpenFile(DataFile file) {
      this.file = file;
      this.deletedPositions = positionDeletes.of(file);
      this.equality = equalityDeletes.of(file);
      this.partition = partition(file);
      List<Types.NestedField> wanted = new ArrayList<>(columns.stored());
      equality.forEach(each -> wanted.addAll(each.fields().columns()));
      this.rows = FileRows.open(FileSource.of(table, file), wanted);
    }

    /** The file's next live row, or null at its end. */
    Object[] advance() {
      while (rows.hasNext()) {
        Object[] row = rows.next();
        position++;
        if (!deletedPositions.test(position) && !deleted(row)) {
          return result(row);
        }
      }
      FileRows.checkCount(file, position + 1);
      return null;
    }

    private boolean deleted(Object[] row) {
      int start = columns.stored().size();
      for (EqualityDeletes.Applied each : equality) {
        if (each.deletes(row, start)) {
          return true;
        }
        start += each.fields().columns().size();
      }
      return false;
    }

    private Object[] result(Object[] row) {
      Object[] result = new Object[columns.cells().size()];
      for (int i = 0; i < result.length; i++) {
        ReadColumns.Cell cell = columns.cells().get(i);
        if (cell instanceof ReadColumns.Stored stored) {
          result[i] = VariantText.shown(stored.type(), row[stored.ordinal()]);
        } else if (cell instanceof ReadColumns.Lineage lineage) {
          Object own = row[lineage.ordinal()];
          result[i] = own == null || file.firstRowId() == null ? inherited(lineage) : own;
        } else {
          result[i] = known(((ReadColumns.Known) cell).column());
        }
      }
      return result;
    }

    private Object inherited(ReadColumns.Lineage lineage) {
      if (file.firstRowId() == null) {
        return null;
      }
      return lineage.column() == MetadataColumn.ROW_ID
          ? (Object) (file.firstRowId() + position)
          : file.dataSequenceNumber();
    }

    private Object known(MetadataColumn column) {
      return switch (column) {
        case FILE_PATH -> file.location();
        case ROW_POSITION -> position;
        case SPEC_ID -> file.specId();
        case PARTITION -> partition;
        case DATA_SEQUENCE_NUMBER -> file.dataSequenceNumber();
        default -> throw new IllegalArgumentException("Not known of a file: " + column);
      };
    }

    private HostRow partition(DataFile of) {
      Map<Integer, Object> values = new HashMap<>();
      List<Types.NestedField> own = table.metadata().spec(of.specId()).partitionType().fields();
      for (int i = 0; i < own.size(); i++) {
        values.put(
            own.get(i).fieldId(),
            Leaves.raw(own.get(i).type(), of.partition().get(i, Object.class)));
      }
      return HostRow.of(
          columns.partitionType().fields().stream()
              .map(field -> values.get(field.fieldId()))
              .toArray());
    }

    void close() {
      rows.close();
    }
  }
}
