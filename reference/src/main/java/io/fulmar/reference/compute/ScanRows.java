package io.fulmar.reference.compute;

import io.fulmar.catalog.host.BatchReader;
import java.util.List;
import java.util.function.Supplier;
import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerator;

/** The rows of a table's batches. */
final class ScanRows extends AbstractEnumerable<Object[]> {
  private final Supplier<BatchReader> source;

  ScanRows(Supplier<BatchReader> source) {
    this.source = source;
  }

  @Override
  public Enumerator<Object[]> enumerator() {
    return new Rows(source.get());
  }

  private static final class Rows implements Enumerator<Object[]> {
    private final BatchReader reader;
    private List<VectorValues> columns = List.of();
    private int count;
    private int row = -1;

    Rows(BatchReader reader) {
      this.reader = reader;
    }

    @Override
    public Object[] current() {
      Object[] values = new Object[columns.size()];
      for (int i = 0; i < values.length; i++) {
        values[i] = columns.get(i).get(row);
      }
      return values;
    }

    @Override
    public boolean moveNext() {
      row++;
      while (row >= count) {
        if (!reader.next()) {
          return false;
        }
        columns = reader.root().getFieldVectors().stream().map(VectorValues::of).toList();
        count = reader.root().getRowCount();
        row = 0;
      }
      return true;
    }

    @Override
    public void reset() {
      throw new UnsupportedOperationException("A scan is read once");
    }

    @Override
    public void close() {
      reader.close();
    }
  }
}
