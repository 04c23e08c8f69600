package io.fulmar.catalog.scan.deletes;

import io.fulmar.catalog.scan.prune.OrderedValue;
import io.fulmar.catalog.scan.prune.ValueSummary;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.types.Types;

/** The position-delete files of one partition that may be about several data files. */
final class PositionScope {
  private final KeyColumn paths = new KeyColumn(Types.StringType.get());
  private final List<Integer> files = new ArrayList<>();
  private final LongColumn sequences = new LongColumn();
  private boolean bounded;
  private IntervalIndex index;
  private int[] newestFirst = {};
  private int cachedCount = -1;
  private List<Integer> cached = List.of();

  /**
   * @param path what is known of the paths in it
   */
  void add(int file, long sequence, ValueSummary path) {
    files.add(file);
    sequences.add(sequence);
    paths.add(path);
    bounded |= path.lower().isPresent() || path.upper().isPresent();
  }

  void finish() {
    KeyColumn.Intervals intervals = paths.finish();
    if (bounded) {
      long[] newest = new long[files.size()];
      Arrays.setAll(newest, sequences::get);
      index = new IntervalIndex(intervals.lows(), intervals.highs(), newest);
      return;
    }

    Integer[] order = new Integer[files.size()];
    Arrays.setAll(order, entry -> entry);
    Arrays.sort(order, (a, b) -> Long.compare(sequences.get(b), sequences.get(a)));
    newestFirst = Arrays.stream(order).mapToInt(Integer::intValue).toArray();
  }

  /** The files whose sequence number is at least the data file's (rule R11). */
  List<Integer> find(String path, long dataSequence) {
    return bounded ? matching(path, dataSequence) : newest(dataSequence);
  }

  private List<Integer> matching(String path, long dataSequence) {
    Optional<OrderedValue> value =
        Optional.of(new OrderedValue.Bytes(path.getBytes(StandardCharsets.UTF_8)));
    List<Integer> found = new ArrayList<>();
    index.any(
        paths.floor(value),
        paths.ceiling(value),
        dataSequence - 1,
        Integer.MAX_VALUE,
        entry -> {
          found.add(files.get(entry));
          return false;
        });
    return found;
  }

  /** Data files of one age share a list: it may be long. */
  private List<Integer> newest(long dataSequence) {
    int count = 0;
    while (count < newestFirst.length && sequences.get(newestFirst[count]) >= dataSequence) {
      count++;
    }

    if (count != cachedCount) {
      cached = Arrays.stream(newestFirst, 0, count).map(files::get).sorted().boxed().toList();
      cachedCount = count;
    }
    return cached;
  }
}
